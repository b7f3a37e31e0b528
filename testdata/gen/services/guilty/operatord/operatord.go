// Package operatord works as long as it is the leader.
package operatord

import (
	"time"

	"example.com/services/guilty/operatord/elect"
	"example.com/services/kit"
)

type manager struct{ queue chan string }

func (m *manager) lead(lost <-chan struct{}) {
	go m.reconcile()
	go m.resync()
	<-lost
}

func (m *manager) reconcile() {
	for range m.queue {
		time.Sleep(time.Millisecond)
	}
}

func (m *manager) resync() {
	for range time.Tick(5 * time.Second) {
		m.queue <- "all"
	}
}

func Main() {
	kit.Start()
	m := &manager{make(chan string, 10)}
	elect.New(m.lead).Run()
}
