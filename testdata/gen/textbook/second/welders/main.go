// Five welders stand around a table, with a clamp between each two. Each takes the left clamp and then the right one,
// so all five may hold one and wait for the next.
package main

import (
	"context"
	"math/rand"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type clamp struct{ sync.Mutex }

type welder struct {
	left, right *clamp
	seams       int
}

func (w *welder) seam() {
	w.left.Lock()
	defer w.left.Unlock()
	time.Sleep(time.Millisecond)
	w.right.Lock()
	defer w.right.Unlock()
	w.seams++
}

func (w *welder) work(ctx context.Context) {
	for ctx.Err() == nil {
		w.seam()
		time.Sleep(time.Duration(rand.Intn(500)) * time.Microsecond)
	}
}

func main() {
	kit.Start()
	var clamps [5]clamp
	var shift sync.WaitGroup
	for i := range clamps {
		w := &welder{left: &clamps[i], right: &clamps[(i+1)%len(clamps)]}
		shift.Add(1)
		go func() {
			defer shift.Done()
			w.work(context.Background())
		}()
	}
	shift.Wait()
}
