// Command ring-idle prints lines that come now and then.
//
// https://github.com/Workiva/go-datastructures/issues/150
package main

import (
	"log"
	"time"

	"wild/kit"
)

func main() {
	kit.Serve()
	lines := newLines()
	go func() {
		for range time.Tick(3 * time.Second) {
			if err := lines.Put("a line"); err != nil {
				log.Print(err)
			}
		}
	}()
	for {
		if err := print(lines); err != nil {
			return
		}
	}
}
