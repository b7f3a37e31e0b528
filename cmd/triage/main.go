// Command triage reads what a busy, hung or crashed Go process left behind and names the guilty line of code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	putOffCollecting(os.Getenv)
	// Writing to a closed pipe is an error like any other (see output.go), not the program's death by SIGPIPE.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first Ctrl-C asks for the report of what came so far; the second ends the program as usual.
	context.AfterFunc(ctx, stop)
	os.Exit(Main(ctx, os.Args[1:], Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
}
