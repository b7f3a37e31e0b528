module wild/http2-frame-size-zero

go 1.26

require (
	golang.org/x/net v0.53.0
	wild/kit v0.0.0
)

require golang.org/x/text v0.36.0 // indirect

replace wild/kit => ../../kit
