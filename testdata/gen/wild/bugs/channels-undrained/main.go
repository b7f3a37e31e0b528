// Command channels-undrained finds the first match for each search.
//
// https://github.com/eapache/channels/issues/27
package main

import (
	"time"

	"github.com/eapache/channels"

	"wild/kit"
)

func main() {
	kit.Serve()
	for n := 0; ; n++ {
		search(n)
		time.Sleep(200 * time.Millisecond)
	}
}

// search returns the first match.
func search(n int) any {
	matches := channels.NewInfiniteChannel()
	for i := range 3 {
		matches.In() <- n + i
	}
	matches.Close()
	first := <-matches.Out()
	end(matches)
	return first
}
