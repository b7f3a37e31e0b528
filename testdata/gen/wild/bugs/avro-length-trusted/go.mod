module wild/avro-length-trusted

go 1.26

require (
	github.com/hamba/avro/v2 v2.12.0
	wild/kit v0.0.0
)

require (
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/mitchellh/mapstructure v1.5.0 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
)

replace wild/kit => ../../kit
