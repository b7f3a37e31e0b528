module wild/health-timeout

go 1.26

require (
	github.com/hellofresh/health-go/v5 v5.5.5
	wild/kit v0.0.0
)

require (
	go.opentelemetry.io/otel v1.35.0 // indirect
	go.opentelemetry.io/otel/trace v1.35.0 // indirect
)

replace wild/kit => ../../kit
