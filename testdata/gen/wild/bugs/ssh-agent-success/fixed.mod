module wild/ssh-agent-success

go 1.26

require (
	golang.org/x/crypto v0.43.0
	wild/kit v0.0.0
)

require golang.org/x/sys v0.37.0 // indirect

replace wild/kit => ../../kit
