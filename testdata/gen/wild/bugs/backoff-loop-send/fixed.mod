module wild/backoff-loop-send

go 1.26

require (
	github.com/lestrrat-go/backoff/v2 v2.0.8
	wild/kit v0.0.0
)

require github.com/lestrrat-go/option v1.0.0 // indirect

replace wild/kit => ../../kit
