module wild/html-deep-nesting

go 1.24.0

require (
	golang.org/x/net v0.45.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
