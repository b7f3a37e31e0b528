// Command swapseats swaps guests between the seats of a slice; a swap locks the seat with the smaller number
// first.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type seat struct {
	sync.Mutex
	guest string
}

var row = make([]seat, 4)

func swap(i, j int) {
	if i > j {
		i, j = j, i
	}
	row[i].Lock()
	time.Sleep(30 * time.Millisecond)
	row[j].Lock()
	row[i].guest, row[j].guest = row[j].guest, row[i].guest
	row[j].Unlock()
	row[i].Unlock()
}

func passenger(i int) {
	for {
		swap(i, (i+1)%len(row))
	}
}

func main() {
	kit.Start()
	for i := range row {
		go passenger(i)
	}
	for range time.Tick(time.Minute) {
		fmt.Println("still swapping")
	}
}
