// Side by side with other parsers of goroutine dumps. A module of its own: what it compares with is none of the
// product's dependencies.
module github.com/gotriage/triage/bench

go 1.26.0

replace github.com/gotriage/triage => ../

require (
	github.com/DataDog/gostackparse v0.7.0
	github.com/gotriage/triage v0.0.0-00010101000000-000000000000
	github.com/maruel/panicparse/v2 v2.5.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/ulikunitz/xz v0.5.17 // indirect
	golang.org/x/text v0.43.0 // indirect
)
