// Command average prints the mean of ratings; a film without any divides by zero.
package main

import (
	"fmt"
	"time"
)

type ratings struct {
	film  string
	stars []int
}

func (r *ratings) mean() int {
	sum := 0
	for _, s := range r.stars {
		sum += s
	}
	return sum / len(r.stars)
}

func main() {
	films := []*ratings{{"Solaris", []int{5, 4}}, {"Stalker", []int{5}}, {"Mirror", nil}}
	for i := 0; ; i++ {
		r := films[i%len(films)]
		fmt.Println(r.film, r.mean())
		time.Sleep(400 * time.Millisecond)
	}
}
