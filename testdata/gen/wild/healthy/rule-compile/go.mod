module wild/rule-compile

go 1.26

require wild/kit v0.0.0

require github.com/expr-lang/expr v1.17.0

replace wild/kit => ../../kit
