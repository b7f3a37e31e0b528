package pipeline

import (
	"context"
	"errors"
)

var errBad = errors.New("bad item")

type stage func(context.Context, <-chan int, chan<- int) error

func Run(ctx context.Context, items []int, stages ...stage) error {
	errs := make(chan error)
	src := make(chan int)
	go func() {
		defer close(src)
		for _, it := range items {
			src <- it // GUILTY
		}
	}()
	var in <-chan int = src
	for _, s := range stages {
		out := make(chan int)
		go func(in <-chan int) {
			defer close(out)
			errs <- s(ctx, in, out)
		}(in)
		in = out
	}
	for range stages {
		if err := <-errs; err != nil { // GUILTY
			return err
		}
	}
	return nil
}

// Double ends at a negative item, and says nothing of it.
func Double(_ context.Context, in <-chan int, out chan<- int) error {
	for it := range in {
		if it < 0 {
			return errBad
		}
		out <- it * 2 // GUILTY
	}
	return nil
}
