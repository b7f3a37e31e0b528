// Command report collects the figures of departments; main waits for one more than there are.
package main

import (
	"fmt"
)

type figures struct {
	department string
	sales      int
}

func collect(department string, out chan<- figures) {
	out <- figures{department, 7 * len(department)}
}

func main() {
	departments := []string{"toys", "books", "garden"}
	out := make(chan figures)
	for _, d := range departments {
		go collect(d, out)
	}
	for range len(departments) + 1 {
		f := <-out
		fmt.Println(f.department, f.sales)
	}
}
