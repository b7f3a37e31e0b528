module wild/schema-sparse-slice

go 1.24

require (
	github.com/gorilla/schema v1.4.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
