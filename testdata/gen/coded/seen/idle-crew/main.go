package main

import (
	"coded/kit"
	"sync"
)

type pool struct {
	jobs chan func()
	wg   sync.WaitGroup
}

func newPool(n int) *pool {
	p := &pool{jobs: make(chan func())}
	for i := 0; i < n; i++ {
		go p.work()
	}
	return p
}
func (p *pool) work() {
	for f := range p.jobs {
		f()
	}
}
func (p *pool) do(f func()) { p.wg.Add(1); p.jobs <- func() { defer p.wg.Done(); f() } }
func main() {
	kit.Serve()
	p := newPool(4)
	for i := 0; i < 20; i++ {
		p.do(func() {})
	}
	p.wg.Wait()
	kit.Wait()
}
