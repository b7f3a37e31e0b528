module wild/stomp-unsubscribe-receipt

go 1.26

require (
	github.com/go-stomp/stomp/v3 v3.0.5
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
