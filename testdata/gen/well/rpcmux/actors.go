package main

import "time"

// An actor does what is in its mailbox, one after the other. Some of it takes questions to its neighbour.
type actor struct {
	mailbox   chan question
	neighbour *actor
}

type question struct {
	hops   int
	answer chan int
}

// startActors starts n actors in a row, each of which knows the next, and people who ask them.
func startActors(n int) {
	var next *actor
	for i := 0; i < n; i++ {
		a := &actor{mailbox: make(chan question, 4), neighbour: next}
		go a.run()
		if i%10 == 9 {
			go a.beAsked()
		}
		next = a
	}
}

func (a *actor) run() {
	for q := range a.mailbox {
		q.answer <- a.think(q.hops)
	}
}

// think takes a moment, or as long as the neighbour does.
func (a *actor) think(hops int) int {
	if hops == 0 || a.neighbour == nil {
		time.Sleep(80 * time.Millisecond)
		return 1
	}
	return 1 + a.neighbour.ask(hops-1)
}

func (a *actor) ask(hops int) int {
	q := question{hops: hops, answer: make(chan int, 1)}
	a.mailbox <- q
	return <-q.answer
}

func (a *actor) beAsked() {
	for hops := 0; ; hops = (hops + 1) % 6 {
		a.ask(hops)
		time.Sleep(10 * time.Millisecond)
	}
}
