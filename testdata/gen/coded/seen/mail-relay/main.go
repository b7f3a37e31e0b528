// Mail-relay passes letters on.
package main

import (
	"log"
	"time"

	"coded/kit"
)

var box = make(chan string)

func main() {
	kit.Serve()
	for n := 0; n < 7; n++ {
		go relay(n)
	}
	go carry()
	kit.Wait()
}

// relay drops a letter.
func relay(n int) {
	letters := make(chan string)
	log.Print(n, " reads")
	letter := <-letters
	log.Print(n, letter)
}

func carry() {
	for {
		log.Print("letters come in half an hour")
		time.Sleep(30 * time.Minute)
		box <- "letter"
	}
}
