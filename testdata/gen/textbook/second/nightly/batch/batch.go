// Package batch works through accounts.
package batch

import (
	"log"
	"sync"

	"example.com/textbook/second/nightly/books"
)

// A Result is what one account earned.
type Result struct {
	Account  string
	Interest int
	Late     bool
}

// A Run has workers and a clerk who counts.
type Run struct {
	workers sync.WaitGroup
	results chan Result
	ticks   chan int
}

// Start begins to work through accounts.
func Start(accounts []books.Account, workers int) *Run {
	r := &Run{results: make(chan Result), ticks: make(chan int)}
	go r.clerk()
	queue := make(chan books.Account)
	go func() {
		defer close(queue)
		for _, a := range accounts {
			queue <- a
		}
	}()
	for range workers {
		r.workers.Add(1)
		go func() {
			defer r.workers.Done()
			for a := range queue {
				r.results <- interest(a)
				r.ticks <- 1
			}
		}()
	}
	return r
}

// Results come in any order.
func (r *Run) Results() <-chan Result { return r.results }

// Stop ends the clerk.
func (r *Run) Stop() { close(r.ticks) }

// clerk logs every hundredth account.
func (r *Run) clerk() {
	sum := 0
	for n := range r.ticks {
		if sum += n; sum%100 == 0 {
			log.Print(sum, " accounts")
		}
	}
}

func interest(a books.Account) Result {
	return Result{Account: a.Name, Interest: a.Cents * 2 * min(a.Days, 365) / 36500, Late: a.Days > 395}
}
