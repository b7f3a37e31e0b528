package well

import (
	"context"

	"example.com/fixtures/burn/run"
)

// startBatch has workers that simulate.
func startBatch(s *run.Service) error {
	jobs := make(chan int, 8)
	s.Go(func(ctx context.Context) {
		for i := 0; ctx.Err() == nil; i++ {
			jobs <- i
		}
	})
	results := make(chan float64, 8)
	for i := 0; i < 2; i++ {
		s.Go(func(ctx context.Context) { simulate(ctx, jobs, results) })
	}
	s.Go(func(ctx context.Context) {
		sum := 0.0
		for r := range results {
			sum += r
		}
	})
	return nil
}

func simulate(ctx context.Context, jobs <-chan int, results chan<- float64) {
	for seed := range jobs {
		if ctx.Err() != nil {
			return
		}
		price := 100.0
		x := uint32(seed + 1)
		for step := 0; step < 50000; step++ {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			price *= 1 + (float64(x&0xffff)/65535-0.5)*0.001
		}
		results <- price
	}
}
