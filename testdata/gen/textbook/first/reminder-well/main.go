// Command reminder reminds of appointments; calling one off ends its goroutine.
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
	select {
	case <-timer.C:
		fmt.Println(a.title)
	case <-a.off:
	}
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
