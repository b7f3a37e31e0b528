// Carton-line takes cartons off a line and puts them away.
package main

import (
	"coded/kit"
	"coded/seen/carton-line/shelf"
)

func main() {
	kit.Serve()
	line(30)
	kit.Wait()
}

// line starts a line of cartons and who takes them off it.
func line(cartons int) {
	belt := make(chan int)
	go func() {
		for carton := range belt {
			shelf.Put(carton)
		}
	}()
	for n := 0; n < cartons; n++ {
		go func(n int) { belt <- n }(n)
	}
}
