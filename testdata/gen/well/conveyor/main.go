// Command conveyor is a pipeline whose last stage is its slowest: all stages before it stand in a send most of the time, and
// so do the devices that report to one collector and the generators that are asked now and then.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed := stage(4, read(), parse)
	enriched := stage(8, parsed, enrich)
	done := make(chan struct{})
	go store(tee(enriched), done)
	go collect(startDevices(40))
	go number(startNumbering(12))
	startSerials("invoice", "parcel", "return")
	dumper.Ready()
	<-ctx.Done()
	<-done
}
