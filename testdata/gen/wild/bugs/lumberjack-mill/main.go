// Command lumberjack-mill runs small jobs and writes a rotated log about them.
//
// https://github.com/natefinch/lumberjack/issues/205
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"wild/kit"
)

const (
	runners = 2
	arrival = 250 * time.Millisecond // between two jobs
)

// A job is a piece of work with its result.
type job struct {
	id     int
	result string
}

var finished atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/jobs", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, finished.Load(), "jobs are finished")
	})
	jobs := make(chan job)
	for range runners {
		go runner(jobs)
	}
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for id := 0; ; id++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			jobs <- job{id: id}
		}
	}
}

// runner does jobs.
func runner(jobs <-chan job) {
	for j := range jobs {
		j.result = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, j.id)))
		if err := logJob(j); err != nil {
			log.Printf("job %d: %v", j.id, err)
		}
		finished.Add(1)
	}
}

// newLogger returns a logger of the jobs' file.
func newLogger() *lumberjack.Logger {
	return &lumberjack.Logger{Filename: "jobs.log", MaxSize: 5, MaxBackups: 3}
}
