module wild/cmux-stop

go 1.26.0

require (
	github.com/soheilhy/cmux v0.1.4
	wild/kit v0.0.0
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/grpc v1.85.0 // indirect
	google.golang.org/grpc/examples v0.0.0-20260825154716-030ee8becb20 // indirect
)

replace wild/kit => ../../kit
