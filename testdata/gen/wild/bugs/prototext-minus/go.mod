module wild/prototext-minus

go 1.26

require (
	google.golang.org/protobuf v1.29.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
