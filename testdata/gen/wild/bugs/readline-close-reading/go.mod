module wild/readline-close-reading

go 1.26

require (
	github.com/chzyer/readline v1.5.1
	wild/kit v0.0.0
)

require golang.org/x/sys v0.0.0-20220310020820-b874c991c1a5 // indirect

replace wild/kit => ../../kit
