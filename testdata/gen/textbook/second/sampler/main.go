// A sampler takes the pause between its samples from its settings. The setting is missing, so the pause is zero and
// time.After fires at once.
package main

import (
	"encoding/json"
	"log"
	"runtime/metrics"
	"time"

	"example.com/textbook/kit"
)

type sampler struct {
	Every   int `json:"every_ms"`
	Keep    int `json:"keep"`
	samples []uint64
}

func (s *sampler) sample() {
	v := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}}
	metrics.Read(v)
	if s.samples = append(s.samples, v[0].Value.Uint64()); len(s.samples) > s.Keep {
		s.samples = s.samples[1:]
	}
}

func (s *sampler) run(stop <-chan struct{}) {
	for {
		select {
		case <-time.After(time.Duration(s.Every) * time.Millisecond):
			s.sample()
		case <-stop:
			return
		}
	}
}

func main() {
	kit.Start()
	var s sampler
	if err := json.Unmarshal([]byte(`{"every": 500, "keep": 100}`), &s); err != nil {
		log.Fatal(err)
	}
	s.run(make(chan struct{}))
}
