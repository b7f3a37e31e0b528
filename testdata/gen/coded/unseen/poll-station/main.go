// Poll-station counts votes side by side and adds them up.
package main

import (
	"log"
	"time"

	"coded/kit"
	"coded/unseen/poll-station/group"
)

func main() {
	kit.Serve()
	log.Print(count(8))
}

// count counts some boxes; the last one who is done ends the sum.
func count(boxes int) (sum int) {
	votes, g := make(chan int), group.New()
	for n := 0; n < boxes; n++ {
		g.Go(func() {
			time.Sleep(10 * time.Minute)
			votes <- n
		})
	}
	go func() {
		g.Wait()
		close(votes)
	}()
	for v := range votes {
		sum += v
	}
	return sum
}
