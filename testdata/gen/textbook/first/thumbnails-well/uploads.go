package main

import (
	"time"
)

// A uploadsDesk has some clerks for uploads.
type uploadsDesk struct{ inbox chan int }

func openUploads(clerks int) *uploadsDesk {
	d := &uploadsDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *uploadsDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *uploadsDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
