// A table of scores adds up points in a map, while top ranges over it to find the best. Neither takes the lock that the
// table has.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type table struct {
	sync.Mutex
	points map[string]int
	best   string
}

func (t *table) add(who string, n int) {
	t.points[who] += n
}

func (t *table) top() (who string) {
	most := -1
	for w, n := range t.points {
		if n > most {
			who, most = w, n
		}
	}
	t.Lock()
	defer t.Unlock()
	t.best = who
	return who
}

func main() {
	kit.Start()
	t := &table{points: map[string]int{}}
	go func() {
		for n := 0; ; n++ {
			t.add(fmt.Sprint("player", n%5000), n%7)
			if n%2000 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	for range time.Tick(2 * time.Millisecond) {
		t.top()
	}
}
