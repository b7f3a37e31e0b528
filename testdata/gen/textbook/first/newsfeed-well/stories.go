package main

import (
	"time"
)

// A storiesDesk has some clerks for stories.
type storiesDesk struct{ inbox chan int }

func openStories(clerks int) *storiesDesk {
	d := &storiesDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *storiesDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *storiesDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
