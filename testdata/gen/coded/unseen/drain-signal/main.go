// Drain-signal works until it is told to drain.
package main

import (
	"log"
	"os"
	"os/signal"
	"syscall"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 5; n++ {
		drain(n)
	}
	kit.Wait()
}

// drain starts what empties a queue when the operator asks for it.
func drain(queue int) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			log.Print("queue ", queue, " is drained")
		}
	}()
}
