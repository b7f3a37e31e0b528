// Package cellar holds the kegs.
package cellar

import (
	"context"
	"math"
	"sync"
	"time"
)

type keg struct {
	sync.Mutex
	litres int
}

// A Cellar is a row of kegs.
type Cellar struct {
	kegs []keg
}

// New fills n kegs with that many litres each.
func New(n, litres int) *Cellar {
	c := &Cellar{kegs: make([]keg, n)}
	for i := range c.kegs {
		c.kegs[i].litres = litres
	}
	return c
}

// Blend takes litres from one keg to another.
func (c *Cellar) Blend(from, to, litres int) {
	low, high := min(from, to), max(from, to)
	c.kegs[low].Lock()
	defer c.kegs[low].Unlock()
	time.Sleep(4 * time.Millisecond) // the hose is laid
	c.kegs[high].Lock()
	defer c.kegs[high].Unlock()
	c.pour(&c.kegs[from], &c.kegs[to], litres)
}

func (c *Cellar) pour(from, to *keg, litres int) {
	if from.litres < litres {
		return
	}
	from.litres -= litres
	to.litres += litres
}

// Thermometer sends the temperature once a second.
func (c *Cellar) Thermometer(ctx context.Context, out chan<- float64) {
	defer close(out)
	for t := 0.0; ; t++ {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return
		}
		select {
		case out <- 8 + math.Sin(t):
		default: // nobody looks
		}
	}
}
