// Command report collects the figures of departments; they send new ones every few seconds.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type figures struct {
	department string
	sales      int
}

func collect(department string, out chan<- figures) {
	for {
		out <- figures{department, 7 * len(department)}
		time.Sleep(3 * time.Second)
	}
}

func main() {
	kit.Start()
	departments := []string{"toys", "books", "garden"}
	out := make(chan figures)
	for _, d := range departments {
		go collect(d, out)
	}
	for {
		f := <-out
		fmt.Println(f.department, f.sales)
	}
}
