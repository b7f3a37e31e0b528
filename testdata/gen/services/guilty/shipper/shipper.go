// Package shipper ships logs: readers, one writer, and a restart when the configuration changes.
package shipper

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Pipeline struct {
	lines   chan string
	stop    chan struct{}
	readers sync.WaitGroup
	writer  sync.WaitGroup
}

func Run(readers int) *Pipeline {
	p := &Pipeline{lines: make(chan string, 8), stop: make(chan struct{})}
	p.writer.Add(1)
	go p.write()
	for range readers {
		p.readers.Add(1)
		go p.read()
	}
	return p
}

func (p *Pipeline) read() {
	defer p.readers.Done()
	for {
		p.lines <- "line"
		select {
		case <-p.stop:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (p *Pipeline) write() {
	defer p.writer.Done()
	for {
		select {
		case <-p.lines:
			time.Sleep(time.Millisecond)
		case <-p.stop:
			return
		}
	}
}

// Stop ends the pipeline.
func (p *Pipeline) Stop() {
	close(p.stop)
	p.writer.Wait()
	p.readers.Wait()
}

func Main() {
	kit.Start()
	for range time.Tick(2 * time.Second) {
		p := Run(24)
		time.Sleep(time.Second)
		p.Stop()
	}
}
