module wild/gochannel-subscribe-closed

go 1.26

require (
	github.com/ThreeDotsLabs/watermill v1.2.0
	wild/kit v0.0.0
)

require (
	github.com/google/uuid v1.3.0 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)

replace wild/kit => ../../kit
