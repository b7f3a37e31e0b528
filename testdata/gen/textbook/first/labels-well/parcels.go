package main

import (
	"time"
)

// A parcelsDesk has some clerks for parcels.
type parcelsDesk struct{ inbox chan int }

func openParcels(clerks int) *parcelsDesk {
	d := &parcelsDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *parcelsDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *parcelsDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
