// Command spinner-left-locked shows that it is at work.
//
// https://github.com/briandowns/spinner/issues/91
package main

import (
	"log"
	"sync/atomic"
	"time"

	"github.com/briandowns/spinner"

	"wild/kit"
)

var tables atomic.Int64

func main() {
	kit.Serve()
	go migrate()
	for range time.Tick(10 * time.Second) {
		log.Print(tables.Load(), " tables")
	}
}

// migrate moves tables, and shows a spinner while it moves one.
func migrate() {
	for {
		s := spinner.New(spinner.CharSets[9], time.Millisecond)
		s.Writer = terminal{}
		s.Start()
		time.Sleep(20 * time.Millisecond)
		s.Stop()
		s.Prefix = "next: "
		s.Start()
		time.Sleep(20 * time.Millisecond)
		s.Stop()
		tables.Add(1)
	}
}

// A terminal is at the other end of a slow line.
type terminal struct{}

func (terminal) Write(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return len(b), nil
}
