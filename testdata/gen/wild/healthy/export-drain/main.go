// Command export-drain stops an exporter as it should be: what is queued is sent before Stop returns. The queue is long, and
// the receiver takes one item a second.
package main

import (
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"wild/kit"
)

type exporter struct {
	queue   chan string
	drained chan struct{}
	once    sync.Once
	out     *os.File
}

func newExporter(out *os.File) *exporter {
	e := &exporter{queue: make(chan string, 5000), drained: make(chan struct{}), out: out}
	go e.loop()
	return e
}

func (e *exporter) loop() {
	defer close(e.drained)
	for item := range e.queue {
		time.Sleep(time.Second)
		fmt.Fprintln(e.out, item)
	}
}

// Stop sends what is queued, and returns when all is sent.
func (e *exporter) Stop() {
	e.once.Do(func() { close(e.queue) })
	<-e.drained
}

func main() {
	kit.Serve()
	out, err := os.Create("export.txt")
	if err != nil {
		log.Fatal(err)
	}
	var exporters []*exporter
	for i := 0; i < 6; i++ {
		e := newExporter(out)
		for item := 0; item < 2000; item++ {
			e.queue <- fmt.Sprintf("exporter %d item %d", i, item)
		}
		exporters = append(exporters, e)
	}
	var wg sync.WaitGroup
	for _, e := range exporters {
		e := e
		for caller := 0; caller < 3; caller++ { // the signal, the admin page and the supervisor
			wg.Add(1)
			go func() {
				defer wg.Done()
				e.Stop()
			}()
		}
	}
	wg.Wait()
}
