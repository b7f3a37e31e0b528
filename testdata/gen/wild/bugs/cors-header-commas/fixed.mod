module wild/cors-header-commas

go 1.26

require (
	github.com/rs/cors v1.11.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
