module wild/retryable-give-up

go 1.26

require (
	github.com/hashicorp/go-retryablehttp v0.7.8
	wild/kit v0.0.0
)

require github.com/hashicorp/go-cleanhttp v0.5.2 // indirect

replace wild/kit => ../../kit
