// Batch-window prints statements in the night.
package main

import (
	"log"
	"time"

	"coded/kit"
	"coded/seen/batch-window/window"
)

func main() {
	kit.Serve()
	night := window.Open(30 * time.Minute)
	for n := 0; n < 10; n++ {
		go statement(night, n)
	}
	kit.Wait()
}

// statement waits for the statement of an account, which is computed when the window opens.
func statement(night *window.Window, account int) {
	sum := make(chan int)
	night.Do(func() {
		sum <- account * 100
	})
	log.Print(account, ": ", <-sum)
}
