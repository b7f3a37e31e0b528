module wild/expr-no-node-limit

go 1.26

require (
	github.com/expr-lang/expr v1.16.9
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
