module wild/sentry-client-worker

go 1.26

require (
	github.com/getsentry/sentry-go v0.31.1
	wild/kit v0.0.0
)

require (
	golang.org/x/sys v0.18.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace wild/kit => ../../kit
