// Command dryrun plays the shifts of a night watch on a simulated clock: a watchman who calls in time need not be looked
// for.
//
// Report: https://github.com/benbjohnson/clock/issues/33
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"
	"wild/kit"
)

var (
	m        = clock.NewMock()
	deadline *clock.Timer // when the next look is due
	calls    atomic.Int64
)

// fired is the watchman's call.
func fired() {
	calls.Add(1)
	deadline.Stop()
}

// shift plays one shift and reports whether somebody had to look.
func shift() bool {
	deadline = m.Timer(20 * time.Second)
	m.AfterFunc(10*time.Second, fired)
	m.Add(15 * time.Second)
	m.Add(15 * time.Second)
	select {
	case <-deadline.C:
		return true
	default:
		return false
	}
}

// play goes through the shifts, one a second of real time.
func play(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if shift() {
				log.Print("somebody had to look")
			}
		case <-ctx.Done():
			return
		}
	}
}

// watchProgress prints how far the simulation is.
func watchProgress(ctx context.Context) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			log.Printf("%d calls", calls.Load())
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go play(ctx)
	go watchProgress(ctx)
	<-ctx.Done()
}
