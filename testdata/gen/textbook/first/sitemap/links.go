package main

import (
	"time"
)

// A linksDesk has some clerks for links.
type linksDesk struct{ inbox chan int }

func openLinks(clerks int) *linksDesk {
	d := &linksDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *linksDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *linksDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
