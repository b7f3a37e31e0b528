package main

import "coded/kit"

type ids struct {
	next chan int
	n    int
}

func (g *ids) gen() {
	for {
		g.n++
		g.next <- g.n
	}
}
func (g *ids) id() int { return <-g.next }
func main() {
	kit.Serve()
	g := &ids{next: make(chan int)}
	go g.gen()
	println(g.id(), g.id())
	kit.Wait()
}
