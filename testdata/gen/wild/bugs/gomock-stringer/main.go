// Command contracts checks every few seconds that a consumer is called as agreed, with mocks instead of both sides.
//
// Report: https://github.com/uber-go/mock/issues/116
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.uber.org/mock/gomock"
	"wild/kit"
)

// A reporter keeps what a check found, and ends the check as a test would.
type reporter struct {
	mu       sync.Mutex
	findings []string
}

func (r *reporter) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings = append(r.findings, text)
}

func (r *reporter) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

var broken, beats atomic.Int64

// check plays one delivery: nothing may be consumed before the contract is signed.
func check(r *reporter) {
	ctrl := gomock.NewController(r)
	o, in := newOuter(ctrl), newInner(ctrl)
	in.EXPECT().String().Return("parcel").AnyTimes()
	o.Consume(in)
}

// run makes one check and writes down what it found.
func run() {
	r := new(reporter)
	defer func() {
		for _, f := range r.findings {
			broken.Add(1)
			log.Print(f)
		}
	}()
	check(r)
}

// watch starts a check every five seconds, one after the other.
func watch(ctx context.Context) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		var one sync.WaitGroup
		one.Go(run)
		one.Wait()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// beat logs that the process is alive.
func beat(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			beats.Add(1)
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go watch(ctx)
	go beat(ctx)
	<-ctx.Done()
}
