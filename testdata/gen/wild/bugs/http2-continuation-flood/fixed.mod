module wild/http2-continuation-flood

go 1.24

require (
	golang.org/x/net v0.23.0
	wild/kit v0.0.0
)

require golang.org/x/text v0.14.0 // indirect

replace wild/kit => ../../kit
