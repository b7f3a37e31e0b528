package main

import (
	"time"
)

// A rulesDesk has some clerks for rules.
type rulesDesk struct{ inbox chan int }

func openRules(clerks int) *rulesDesk {
	d := &rulesDesk{inbox: make(chan int, 32)}
	for range clerks {
		go d.clerk()
	}
	go d.remind()
	return d
}

func (d *rulesDesk) clerk() {
	for number := range d.inbox {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
}

// remind puts a number into the inbox every two seconds.
func (d *rulesDesk) remind() {
	ticker := time.NewTicker(2 * time.Second)
	for number := 0; ; number++ {
		<-ticker.C
		d.inbox <- number
	}
}
