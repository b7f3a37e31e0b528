module wild/protojson-empty-key

go 1.26

require (
	google.golang.org/protobuf v1.32.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
