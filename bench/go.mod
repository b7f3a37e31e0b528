// Side by side with other parsers of goroutine dumps, and growth. A module of its own: what it compares with is none of the
// product's dependencies.
module github.com/gotriage/triage/bench

go 1.26.0

replace (
	example.com/bundles => ../testdata/gen/bundles
	github.com/gotriage/triage => ../
)

require (
	example.com/bundles v0.0.0
	github.com/DataDog/gostackparse v0.7.0
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/gotriage/triage v0.0.0-00010101000000-000000000000
	github.com/maruel/panicparse/v2 v2.5.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/ulikunitz/xz v0.5.17 // indirect
	golang.org/x/text v0.43.0 // indirect
)
