module wild/html-template-object

go 1.26

require (
	golang.org/x/net v0.0.0-20180811021610-c39426892332
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
