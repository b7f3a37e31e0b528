// Command main counts the requests of every session of a shop, and hands the numbers on in small reports.
//
// https://github.com/rcrowley/go-metrics/issues/201
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rcrowley/go-metrics"
	"wild/kit"
)

const (
	events    = 500000                // that a day brings
	tick      = 10 * time.Millisecond // between two bursts of events
	burst     = 100                   // events that come at once
	perReport = 100                   // sessions in a report
)

// A session is one visit to the shop.
type session struct {
	id       int
	requests int64
}

// A report sums up the sessions of some while.
type report struct {
	sessions int
	requests int64
}

// count meters each session under a name of its own. A full report is handed on, and its sessions are forgotten.
func count(r metrics.Registry, sessions <-chan session, reports chan<- report) {
	seen := 0
	for s := range sessions {
		metrics.GetOrRegisterMeter(fmt.Sprintf("session.%d.requests", s.id), r).Mark(s.requests)
		if seen++; seen == perReport {
			reports <- sum(r)
			r.UnregisterAll()
			seen = 0
		}
	}
	close(reports)
}

// sum adds up what a registry has.
func sum(r metrics.Registry) report {
	var total report
	r.Each(func(_ string, metric any) {
		if meter, ok := metric.(metrics.Meter); ok {
			total.sessions++
			total.requests += meter.Count()
		}
	})
	return total
}

// collect takes the reports.
func collect(reports <-chan report, requests *atomic.Int64) {
	for r := range reports {
		requests.Add(r.requests)
	}
	log.Print("the day has ended")
}

// visit plays the customers of a day.
func visit(sessions chan<- session) {
	defer close(sessions)
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for id := range events {
		if id%burst == 0 {
			<-clock.C
		}
		sessions <- session{id, int64(1 + id%7)}
	}
}

// show says now and then how many requests have been counted.
func show(requests *atomic.Int64) {
	for range time.Tick(time.Minute) {
		log.Print(requests.Load(), " requests")
	}
}

func main() {
	kit.Serve()
	var requests atomic.Int64
	sessions, reports := make(chan session, burst), make(chan report, 1)
	go collect(reports, &requests)
	go count(metrics.NewRegistry(), sessions, reports)
	go visit(sessions)
	go show(&requests)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}
