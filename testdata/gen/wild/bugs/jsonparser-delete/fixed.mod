module wild/jsonparser-delete

go 1.26

require (
	github.com/buger/jsonparser v1.1.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
