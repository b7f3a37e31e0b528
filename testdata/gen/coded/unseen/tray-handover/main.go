// Tray-handover moves letters from tray to tray.
package main

import (
	"time"

	"coded/kit"
)

type tray struct {
	letters chan int
	next    *tray
	pause   time.Duration
}

func newTray(next *tray, pause time.Duration) *tray {
	t := &tray{letters: make(chan int), next: next, pause: pause}
	go t.loop()
	return t
}

func (t *tray) loop() {
	for letter := range t.letters {
		time.Sleep(t.pause)
		if t.next != nil {
			t.next.put(letter)
		}
	}
}

func (t *tray) put(letter int) { t.letters <- letter }

func main() {
	kit.Serve()
	out := newTray(nil, 15*time.Minute)
	in := newTray(newTray(out, time.Millisecond), time.Millisecond)
	for n := 0; n < 6; n++ {
		go in.put(n)
	}
	kit.Wait()
}
