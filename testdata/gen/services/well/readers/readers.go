// Package readers gives each reader pages of a book, which it reads slowly to the end.
package readers

import (
	"time"

	"example.com/services/kit"
)

func pages(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i
		}
	}()
	return out
}

func read() {
	for range pages(12) {
		time.Sleep(6 * time.Second)
	}
}

func Main() {
	kit.Start()
	for {
		go read()
		time.Sleep(900 * time.Millisecond)
	}
}
