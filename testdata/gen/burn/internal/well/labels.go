package well

import (
	"context"
	"math"
	"runtime/pprof"

	"example.com/fixtures/burn/run"
)

// An Exporter works for queues, and says for which.
type Exporter struct{ sum float64 }

func startLabels(s *run.Service) error {
	x := &Exporter{}
	n := 0
	s.Loop(func() {
		n++
		queue := "exports"
		if n%5 == 0 {
			queue = "mails"
		}
		pprof.Do(context.Background(), pprof.Labels("queue", queue), func(context.Context) {
			if queue == "exports" {
				x.export()
			} else {
				x.mail()
			}
		})
	})
	return nil
}

func (x *Exporter) export() {
	for i := 1; i < 60000; i++ {
		x.sum += math.Sqrt(float64(i))
	}
}

func (x *Exporter) mail() {
	for i := 1; i < 20000; i++ {
		x.sum += math.Log(float64(i))
	}
}
