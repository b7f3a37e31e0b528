module wild/gjson-match

go 1.26

require (
	github.com/tidwall/gjson v1.8.0
	wild/kit v0.0.0
)

require (
	github.com/tidwall/match v1.0.3 // indirect
	github.com/tidwall/pretty v1.1.0 // indirect
)

replace wild/kit => ../../kit
