// A crew picks a vineyard, with a goroutine for each row. A row without grapes is done twice, by pick and by run, and
// the counter of the day's rows gets negative.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type crew struct {
	day   sync.WaitGroup
	boxes chan int
}

func (c *crew) pick(row int) bool {
	if row%5 == 4 { // hail
		c.day.Done()
		return false
	}
	time.Sleep(time.Duration(row+1) * 10 * time.Millisecond)
	c.boxes <- row * 3
	return true
}

func (c *crew) run(rows int) (boxes int) {
	c.day.Add(rows)
	for row := range rows {
		go func() {
			defer c.day.Done()
			c.pick(row)
		}()
	}
	c.day.Wait()
	for range len(c.boxes) {
		boxes += <-c.boxes
	}
	return boxes
}

func main() {
	kit.Start()
	c := &crew{boxes: make(chan int, 100)}
	for rows := 2; ; rows++ {
		fmt.Println(rows, "rows,", c.run(rows), "boxes")
	}
}
