// Package podcache follows pods: a reflector fills a queue, and handlers are told once all were listed.
package podcache

import (
	"fmt"
	"time"

	"example.com/services/kit"
)

type Informer struct {
	deltas   chan string
	synced   chan struct{}
	handlers []func(pod string)
	seen     int
}

func (i *Informer) list() {
	for n := range 60 {
		i.deltas <- fmt.Sprintf("pod-%d", n)
	}
	i.deltas <- "end"
	for n := 0; ; n++ {
		time.Sleep(time.Second)
		i.deltas <- fmt.Sprintf("pod-%d", n)
	}
}

func (i *Informer) process() {
	for pod := range i.deltas {
		if pod == "end" {
			close(i.synced)
			continue
		}
		for _, h := range i.handlers {
			h(pod)
		}
		i.seen++
	}
}

type Controller struct {
	informer *Informer
	work     chan string
}

func (c *Controller) onPod(pod string) { c.work <- pod }

func (c *Controller) run() {
	<-c.informer.synced
	for range c.work {
		time.Sleep(time.Millisecond)
	}
}

func Main() {
	kit.Start()
	informer := &Informer{deltas: make(chan string, 10), synced: make(chan struct{})}
	c := &Controller{informer: informer, work: make(chan string, 20)}
	c.informer.handlers = append(c.informer.handlers, c.onPod)
	go c.informer.list()
	go c.informer.process()
	for range 4 {
		go c.run()
	}
	kit.Wait()
}
