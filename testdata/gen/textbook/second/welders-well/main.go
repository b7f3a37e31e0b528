// Five welders stand around a table, with a clamp between each two. The last one takes the right clamp first, so that
// somebody always gets both.
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
		if i == len(clamps)-1 {
			w.left, w.right = w.right, w.left
		}
		shift.Add(1)
		go func() {
			defer shift.Done()
			w.work(context.Background())
		}()
	}
	shift.Wait()
}
