package main

import (
	"time"
)

// A palletsDesk has some clerks for pallets.
type palletsDesk struct{ inbox chan int }

func openPallets(clerks int) *palletsDesk {
	d := &palletsDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *palletsDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *palletsDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
