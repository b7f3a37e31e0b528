module wild/sentry-body-not-closed

go 1.26

require (
	github.com/getsentry/sentry-go v0.10.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
