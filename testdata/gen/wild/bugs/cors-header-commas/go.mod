module wild/cors-header-commas

go 1.26

require (
	github.com/rs/cors v1.10.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
