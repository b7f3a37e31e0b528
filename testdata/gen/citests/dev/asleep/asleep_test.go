package asleep

import (
	"sync"
	"testing"
)

func collect(in <-chan int) (sum int) {
	for v := range in { // GUILTY
		sum += v
	}
	return sum
}

func TestCollect(t *testing.T) {
	in := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := range 3 {
			in <- i
		}
	}()
	if collect(in) != 3 {
		t.Fatal("wrong")
	}
	wg.Wait()
}
