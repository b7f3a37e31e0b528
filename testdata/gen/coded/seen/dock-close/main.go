// Dock-close lets ships leave before it closes.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type dock struct {
	closed chan struct{}
	empty  chan struct{}
}

func newDock() *dock { return &dock{closed: make(chan struct{}), empty: make(chan struct{})} }

// Close waits until the ships have left.
func (d *dock) Close() {
	time.Sleep(20 * time.Minute)
	close(d.closed)
	<-d.empty
}

func (d *dock) berth(n int) {
	<-d.closed
	log.Print("berth ", n)
}

func (d *dock) tug() {
	<-d.closed
	close(d.empty)
}

func main() {
	kit.Serve()
	d := newDock()
	for n := 0; n < 8; n++ {
		go d.berth(n)
	}
	go d.tug()
	go d.Close()
	<-d.empty
	kit.Wait()
}
