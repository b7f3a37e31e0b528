// Package rounds measures in rounds: each waits for all probes, which take half a minute.
package rounds

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type probe struct{ host int }

func (p probe) run() { time.Sleep(30 * time.Second) }

type Monitor struct{ rounds int }

func (m *Monitor) round() {
	var wg sync.WaitGroup
	for h := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			probe{h}.run()
		}()
	}
	wg.Wait()
	m.rounds++
}

func Main() {
	kit.Start()
	m := &Monitor{}
	for {
		m.round()
	}
}
