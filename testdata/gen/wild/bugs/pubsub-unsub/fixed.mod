module wild/pubsub-unsub

go 1.26

require (
	github.com/cskr/pubsub v1.0.2
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
