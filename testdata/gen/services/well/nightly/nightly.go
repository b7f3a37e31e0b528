// Package nightly has workers that wait for a barrier until the day's last file is there.
package nightly

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Day struct {
	files   sync.WaitGroup
	started chan struct{}
}

func (d *Day) work() {
	d.files.Wait()
	<-d.started
}

func Main() {
	kit.Start()
	d := &Day{started: make(chan struct{})}
	d.files.Add(1)
	time.AfterFunc(9*time.Minute, d.files.Done)
	for range 12 {
		go d.work()
	}
	kit.Wait()
}
