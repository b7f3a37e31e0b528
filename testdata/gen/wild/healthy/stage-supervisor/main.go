// Command stage-supervisor supervises the lines of a process plant. The steps of a recipe follow each other by timers, so
// between two steps no goroutine belongs to it; whoever supervises waits until all recipes of a batch are done.
package main

import (
	"log"

	"wild/kit"
	"wild/stage-supervisor/plant"
)

// operate runs one batch after the other.
func operate(number int) {
	line := &plant.Line{}
	for batch := 0; ; batch++ {
		line.Supervise()
		log.Printf("line %d: batch %d is ready", number, batch)
	}
}

func main() {
	kit.Serve()
	for number := 1; number < 5; number++ {
		go operate(number)
	}
	operate(0)
}
