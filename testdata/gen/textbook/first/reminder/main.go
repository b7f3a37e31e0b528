// Command reminder reminds of appointments; each starts a goroutine with a timer of a day, and calling it off
// does not end it.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type appointment struct {
	title string
	off   chan struct{}
}

func remind(a *appointment, after time.Duration) {
	timer := time.NewTimer(after)
	defer timer.Stop()
	<-timer.C
	fmt.Println(a.title)
}

func (a *appointment) callOff() { close(a.off) }

func main() {
	kit.Start()
	for i := 0; ; i++ {
		a := &appointment{title: fmt.Sprint("visit ", i), off: make(chan struct{})}
		go remind(a, 24*time.Hour)
		time.Sleep(50 * time.Millisecond)
		a.callOff()
	}
}
