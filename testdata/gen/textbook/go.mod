module github.com/gotriage/triage/testdata/gen/textbook

go 1.22

require (
	golang.org/x/sync v0.10.0
	google.golang.org/grpc v1.67.1
)
