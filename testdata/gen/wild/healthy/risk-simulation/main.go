// Command risk-simulation values a portfolio by simulation on all processors. A run has many paths, each worker takes the
// next chunk from a shared counter, and a lock guards the sum.
package main

import (
	"log"
	"math"
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"

	"wild/kit"
)

const paths, chunk, steps = 400_000, 500, 250

type run struct {
	next atomic.Int64
	mu   sync.Mutex
	sum  float64
}

// path follows one price through a year.
func path(r *rand.Rand) float64 {
	price := 100.0
	for i := 0; i < steps; i++ {
		price *= math.Exp(-0.5*0.04/steps + 0.2*math.Sqrt(1.0/steps)*r.NormFloat64())
	}
	return math.Max(price-105, 0)
}

func (s *run) work(seed int64) {
	r := rand.New(rand.NewSource(seed))
	for s.next.Add(chunk) <= paths {
		part := 0.0
		for i := 0; i < chunk; i++ {
			part += path(r)
		}
		s.mu.Lock()
		s.sum += part
		s.mu.Unlock()
	}
}

func main() {
	kit.Serve()
	for n := int64(0); ; n++ {
		s := &run{}
		var wg sync.WaitGroup
		for i := 0; i < runtime.GOMAXPROCS(0)+4; i++ {
			i := i
			wg.Add(1)
			go func() {
				defer wg.Done()
				s.work(n*100 + int64(i))
			}()
		}
		wg.Wait()
		log.Printf("run %d: %.4f", n, s.sum/paths)
	}
}
