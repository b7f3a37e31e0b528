module wild/html-template-object

go 1.26

require (
	golang.org/x/net v0.0.0-20180826012351-8a410e7b638d
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
