// Command goresilience-timeout asks a service for prices and waits a bounded time for the answer.
//
// https://github.com/slok/goresilience/issues/35
package main

import (
	"context"
	"log"
	"time"

	"github.com/slok/goresilience"
	"github.com/slok/goresilience/timeout"

	"wild/kit"
)

func main() {
	kit.Serve()
	runner := timeout.New(timeout.Config{Timeout: patience})
	for range time.Tick(400 * time.Millisecond) {
		price(runner)
	}
}

// price asks for a price.
func price(runner goresilience.Runner) {
	if err := runner.Run(context.Background(), ask); err != nil {
		log.Print(err)
	}
}

// ask asks; an answer takes a tenth of a second.
func ask(context.Context) error {
	time.Sleep(100 * time.Millisecond)
	return nil
}
