module wild/gobreaker-counts-in-callback

go 1.26

require (
	github.com/sony/gobreaker v1.0.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
