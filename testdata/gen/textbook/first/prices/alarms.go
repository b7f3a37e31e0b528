package main

import (
	"time"
)

// A alarmsDesk has some clerks for alarms.
type alarmsDesk struct{ inbox chan int }

func openAlarms(clerks int) *alarmsDesk {
	d := &alarmsDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *alarmsDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *alarmsDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
