package fanout

import "sync"

// Sum adds the squares of all values, one goroutine for each.
func Sum(values []int) int {
	out := make(chan int, 2)
	var wg sync.WaitGroup
	for _, v := range values {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out <- v * v // GUILTY
		}()
	}
	wg.Wait()
	close(out)
	sum := 0
	for v := range out {
		sum += v
	}
	return sum
}
