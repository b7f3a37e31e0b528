// Command average prints the mean of ratings; a film without any has none.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type ratings struct {
	film  string
	stars []int
}

func (r *ratings) mean() int {
	if len(r.stars) == 0 {
		return 0
	}
	sum := 0
	for _, s := range r.stars {
		sum += s
	}
	return sum / len(r.stars)
}

func main() {
	kit.Start()
	films := []*ratings{{"Solaris", []int{5, 4}}, {"Stalker", []int{5}}, {"Mirror", nil}}
	for i := 0; ; i++ {
		r := films[i%len(films)]
		fmt.Println(r.film, r.mean())
		time.Sleep(400 * time.Millisecond)
	}
}
