package heartbeat

import (
	"sync/atomic"
	"time"
)

type Monitor struct {
	beats atomic.Int64
	tick  *time.Ticker
	quit  chan struct{}
}

func Start(d time.Duration) *Monitor {
	m := &Monitor{tick: time.NewTicker(d), quit: make(chan struct{})}
	go m.loop()
	return m
}

func (m *Monitor) loop() {
	for {
		select { // GUILTY
		case <-m.tick.C:
			m.beats.Add(1)
		case <-m.quit:
			return
		}
	}
}

// Stop stops the ticker, but not the loop.
func (m *Monitor) Stop() { m.tick.Stop() }
