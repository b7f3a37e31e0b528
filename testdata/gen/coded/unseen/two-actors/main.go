package main

import "coded/kit"

type actor struct {
	in   chan int
	peer *actor2
}
type actor2 struct {
	in   chan int
	peer *actor
}

func (a *actor) run() {
	for v := range a.in {
		if v > 0 {
			a.peer.tell(v - 1)
		}
	}
}
func (a *actor2) run() {
	for v := range a.in {
		if v > 0 {
			a.peer.tell(v - 1)
		}
	}
}
func (a *actor) tell(v int)  { a.in <- v }
func (a *actor2) tell(v int) { a.in <- v }
func main() {
	kit.Serve()
	x, y := &actor{in: make(chan int)}, &actor2{in: make(chan int)}
	x.peer, y.peer = y, x
	go x.run()
	go y.run()
	x.tell(5)
	kit.Wait()
}
