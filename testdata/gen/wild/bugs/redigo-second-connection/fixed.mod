module wild/redigo-second-connection

go 1.26

require (
	github.com/gomodule/redigo v1.8.9
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
