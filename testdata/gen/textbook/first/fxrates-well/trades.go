package main

import (
	"time"
)

// A tradesDesk has some clerks for trades.
type tradesDesk struct{ inbox chan int }

func openTrades(clerks int) *tradesDesk {
	d := &tradesDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *tradesDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *tradesDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
