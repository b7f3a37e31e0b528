package main

import (
	"coded/kit"
	"time"
)

type priv struct{ end chan int }
type view struct{ end chan int }

func (p *priv) tell(n int) {
	if n > 3 {
		p.end <- n
	}
}
func (v *view) finish() { time.Sleep(time.Hour); close(v.end) }
func (p *priv) wait()   { <-p.end }
func main() {
	kit.Serve()
	p := &priv{make(chan int)}
	p.tell(1)
	go (*view)(p).finish()
	for i := 0; i < 3; i++ {
		go p.wait()
	}
	p.wait()
}
