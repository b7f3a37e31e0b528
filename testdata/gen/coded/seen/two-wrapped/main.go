package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type lock struct{ sync.Mutex }

type pump struct {
	in, out lock
	done    chan int
	n       int
}

func main() {
	kit.Serve()
	p := &pump{done: make(chan int)}
	go p.finish()
	go p.push()
	p.wait()
}

func (p *pump) wait() {
	p.in.Lock()
	defer p.in.Unlock()
	<-p.done
}

func (p *pump) push() {
	time.Sleep(time.Second)
	p.in.Lock()
	defer p.in.Unlock()
	select {
	case p.done <- 1:
	default:
	}
}

func (p *pump) finish() {
	time.Sleep(work)
	p.late()
}

func (p *pump) late() {
	p.out.Lock()
	defer p.out.Unlock()
	p.done <- 2
}
