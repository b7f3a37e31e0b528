package main

import (
	"time"
)

// A rolloutsDesk has some clerks for rollouts.
type rolloutsDesk struct{ inbox chan int }

func openRollouts(clerks int) *rolloutsDesk {
	d := &rolloutsDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *rolloutsDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *rolloutsDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
