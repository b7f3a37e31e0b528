module wild/otel-provider-itself

go 1.26

require (
	go.opentelemetry.io/otel v1.7.0
	wild/kit v0.0.0
)

require (
	github.com/go-logr/logr v1.2.3 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	go.opentelemetry.io/otel/trace v1.7.0 // indirect
)

replace wild/kit => ../../kit
