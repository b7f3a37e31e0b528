// Session-expiry keeps something for each session until its time is over.
package main

import (
	"log"
	"sync/atomic"
	"time"

	"coded/kit"
)

var open atomic.Int64

func main() {
	kit.Serve()
	for n := 0; n < 40; n++ {
		begin(n)
	}
	kit.Wait()
}

// begin opens a session that ends after twenty minutes.
func begin(n int) {
	over := make(chan struct{})
	time.AfterFunc(20*time.Minute, func() { close(over) })
	open.Add(1)
	go func() {
		<-over
		open.Add(-1)
		log.Print("session ", n, " is over")
	}()
}
