// Package trail: departments record what they did; it is written every twenty minutes.
package trail

import (
	"time"

	"aged/kit"
)

type Trail struct {
	in    chan string
	batch []string
}

func (t *Trail) Record(s string) { t.in <- s }
func (t *Trail) run() {
	for range time.Tick(20 * time.Minute) {
		for range 12 {
			t.batch = append(t.batch, <-t.in)
		}
		t.batch = t.batch[:0]
	}
}

// Main runs it.
func Main() {
	t := &Trail{in: make(chan string)}
	go t.run()
	for range 12 {
		go func() {
			for {
				t.Record("done")
				time.Sleep(time.Second)
			}
		}()
	}
	kit.Wait()
}
