// Command reports runs the jobs of a small shop, and starts its scheduler anew when the list of jobs may have changed.
//
// Report: https://github.com/go-co-op/gocron/issues/355
package main

import (
	"fmt"
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-co-op/gocron"
	"wild/kit"
)

var sold, mailed atomic.Int64

// sell is the shop's traffic.
func sell() {
	for range time.Tick(200 * time.Millisecond) {
		sold.Add(1)
	}
}

// mail sends what was sold since the last time.
func mail() {
	n := sold.Swap(0)
	mailed.Add(n)
	log.Printf("report: %d sold", n)
}

func vacuum() {
	log.Print("old orders removed")
}

func schedule() (*gocron.Scheduler, error) {
	s := gocron.NewScheduler(time.UTC)
	if _, err := s.Every(2).Seconds().Do(mail); err != nil {
		return nil, err
	}
	if _, err := s.Every(1).Minute().Do(vacuum); err != nil {
		return nil, err
	}
	return s, nil
}

// restart lets the scheduler look at its jobs again.
func restart(s *gocron.Scheduler) {
	s.Stop()
	s.StartAsync()
	log.Print("scheduler started")
}

func handleMailed(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, mailed.Load())
}

func main() {
	kit.Serve()
	http.HandleFunc("/mailed", handleMailed)
	go sell()

	s, err := schedule()
	if err != nil {
		log.Fatal(err)
	}
	s.StartAsync()
	for range time.Tick(5 * time.Second) {
		restart(s)
	}
}
