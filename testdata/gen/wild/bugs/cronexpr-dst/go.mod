module wild/cronexpr-dst

go 1.26

require (
	github.com/gorhill/cronexpr v0.0.0-20180427100037-88b0669f7d75
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
