// Part-merge merges the parts of a file that are read side by side.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for n := 0; ; n++ {
			merge(n)
			time.Sleep(3 * time.Second)
		}
	}()
	kit.Wait()
}

// merge starts what writes the parts of a file, in order.
func merge(file int) {
	parts := make(chan string)
	go func() {
		size := 0
		for part := range parts {
			size += len(part)
		}
		log.Print(file, ": ", size)
	}()
	read(file, parts)
}

// read reads a file; an empty part is the end of a broken one.
func read(file int, parts chan string) {
	for n := 0; n < 5; n++ {
		part := "part"[:4-n%5]
		if part == "" {
			log.Print("file ", file, " is broken")
			return
		}
		parts <- part
	}
	close(parts)
}
