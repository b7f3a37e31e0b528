// Thumb-pool makes small pictures of what is uploaded once in a while.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	pictures := make(chan string)
	for n := 0; n < 6; n++ {
		go func() {
			for picture := range pictures {
				log.Print("small ", picture)
			}
		}()
	}
	for {
		time.Sleep(40 * time.Minute)
		for n := 0; n < 6; n++ {
			pictures <- "upload"
		}
	}
}
