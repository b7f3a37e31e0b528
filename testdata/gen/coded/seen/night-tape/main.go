// Night-tape copies files to a tape that is slow to wind.
package main

import (
	"fmt"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	archive(12)
	kit.Wait()
}

// archive starts the copying of some volumes. The tape takes one in a quarter of an hour.
func archive(volumes int) {
	blocks := make(chan string)
	for n := 0; n < volumes; n++ {
		go func(n int) {
			blocks <- fmt.Sprint("volume ", n)
		}(n)
	}
	go func() {
		for n := 0; n < volumes; n++ {
			log.Print(<-blocks)
			time.Sleep(15 * time.Minute)
		}
	}()
}
