// Desk-self has clerks that split files and put the parts back.
package main

import (
	"time"

	"coded/kit"
)

type desk struct {
	files chan int
	done  chan int
}

func newDesk(clerks int) *desk {
	d := &desk{files: make(chan int), done: make(chan int, 64)}
	for n := 0; n < clerks; n++ {
		go d.clerk()
	}
	return d
}

func (d *desk) clerk() {
	for file := range d.files {
		if file > 100 {
			time.Sleep(17 * time.Minute)
			d.done <- file
			continue
		}
		d.put(file + 1000)
	}
}

func (d *desk) put(file int) { d.files <- file }

func main() {
	kit.Serve()
	d := newDesk(3)
	d.put(500)
	d.put(1)
	d.put(2)
	kit.Wait()
}
