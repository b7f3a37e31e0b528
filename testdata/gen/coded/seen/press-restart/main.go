// Press-restart prints sheets; the press rests between shifts.
package main

import (
	"log"
	"time"

	"coded/kit"
)

// A Press prints what it is sent.
type Press struct {
	sheets chan int
	stop   chan struct{}
}

// NewPress returns a press that does not run yet.
func NewPress() *Press { return &Press{sheets: make(chan int), stop: make(chan struct{})} }

// Start runs the press until Stop.
func (p *Press) Start() { go p.loop() }

// Stop ends the loop.
func (p *Press) Stop() { p.stop <- struct{}{} }

// Print hands a sheet to the press.
func (p *Press) Print(sheet int) { p.sheets <- sheet }

func (p *Press) loop() {
	for {
		select {
		case sheet := <-p.sheets:
			log.Print(sheet)
		case <-p.stop:
			return
		}
	}
}

func shifts(p *Press) {
	for {
		p.Start()
		time.Sleep(10 * time.Second)
		p.Stop()
		time.Sleep(14 * time.Minute)
	}
}

func main() {
	kit.Serve()
	p := NewPress()
	go shifts(p)
	time.Sleep(12 * time.Second)
	for sheet := 0; sheet < 6; sheet++ {
		go p.Print(sheet)
	}
	kit.Wait()
}
