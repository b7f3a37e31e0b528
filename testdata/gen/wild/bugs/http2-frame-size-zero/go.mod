module wild/http2-frame-size-zero

go 1.26

require (
	golang.org/x/net v0.52.0
	wild/kit v0.0.0
)

require golang.org/x/text v0.35.0 // indirect

replace wild/kit => ../../kit
