package feeds

import (
	"math"
	"runtime"
	"time"

	"example.com/busy/kit"
)

func barrierStart() {
	kit.Start()
	g := &Gate{}
	g.wanted.Store(3) // one more than are started
	for range 2 {
		go func() {
			g.enter(runtime.Gosched)
		}()
	}
	kit.Wait()
}

// A Merger orders ticks of several venues by time.
type Merger struct {
	heads [4][]float64
	out   []float64
}

// merge takes the earliest of all heads until none is left. A venue's last tick is not a number: no comparison holds.
func (m *Merger) merge() {
	for m.left() {
		best := -1
		for i := range m.heads {
			if len(m.heads[i]) == 0 {
				continue
			}
			if m.heads[i][0] <= math.MaxFloat64 && (best < 0 || m.heads[i][0] < m.heads[best][0]) {
				best = i
			}
		}
		if best >= 0 {
			m.out = append(m.out, m.heads[best][0])
			m.heads[best] = m.heads[best][1:]
		}
	}
}

func (m *Merger) left() bool {
	for i := range m.heads {
		if len(m.heads[i]) > 0 {
			return true
		}
	}
	return false
}

func tickMerge() {
	kit.Start()
	m := &Merger{}
	for i := range m.heads {
		for k := range 50 {
			m.heads[i] = append(m.heads[i], float64(k*4+i))
		}
	}
	m.heads[2] = append(m.heads[2], math.NaN())
	go m.merge()
	kit.Wait()
}

// A Depth holds the volume at each price.
type Depth struct {
	volume map[float64]int
	rounds int
}

// reset empties the book, a price at a time, so that listeners see each go.
func (d *Depth) reset(gone func(float64)) {
	for len(d.volume) > 0 {
		for price := range d.volume {
			delete(d.volume, price)
			gone(price)
		}
	}
}

func depthCache() {
	kit.Start()
	d := &Depth{volume: map[float64]int{}}
	go func() {
		for range time.Tick(500 * time.Millisecond) {
			for i := range 20 {
				d.volume[float64(i)] = i
			}
			d.volume[math.Log(-1)]++
			d.reset(func(float64) { d.rounds++ })
		}
	}()
	kit.Wait()
}
