module wild/html-annotation-case

go 1.26

require (
	golang.org/x/net v0.33.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
