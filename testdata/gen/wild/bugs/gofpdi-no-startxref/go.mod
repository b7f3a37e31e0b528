module wild/gofpdi-no-startxref

go 1.26

require (
	github.com/phpdave11/gofpdi v1.0.13
	wild/kit v0.0.0
)

require github.com/pkg/errors v0.8.1 // indirect

replace wild/kit => ../../kit
