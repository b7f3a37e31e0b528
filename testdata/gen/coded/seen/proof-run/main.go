// Proof-run waits for proofs, each of which reports when it ends, however it ends.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 6; n++ {
		go prove(n)
	}
	kit.Wait()
}

// prove waits for the end of one proof.
func prove(n int) {
	ended := make(chan bool)
	go func() {
		ok := false
		defer func() { ended <- ok }()
		if n%3 == 2 {
			time.Sleep(40 * time.Minute)
			return
		}
		time.Sleep(20 * time.Minute)
		ok = true
	}()
	log.Print(n, <-ended)
}
