// Command nightly-rating rates all calls of a day in main, as fast as one processor can.
package main

import (
	"log"
	"math"
	"sort"

	"wild/kit"
)

type call struct {
	customer uint32
	seconds  float64
	price    float64
}

// rate prices a call by a table of zones.
func rate(c *call, zones []float64) {
	price := 0.0
	for i, z := range zones {
		part := math.Min(c.seconds, float64(60*(i+1)))
		price += part * z / (1 + math.Log1p(part))
	}
	c.price = math.Round(price*100) / 100
}

// day makes the calls of a day.
func day(n int, seed uint32) []call {
	calls := make([]call, n)
	for i := range calls {
		seed = seed*1664525 + 1013904223
		calls[i] = call{customer: seed % 50_000, seconds: float64(seed>>8%3600) + 1}
	}
	return calls
}

func main() {
	kit.Serve()
	zones := make([]float64, 30)
	for i := range zones {
		zones[i] = 0.01 * float64(i+1)
	}
	for n := uint32(0); ; n++ {
		calls := day(1_000_000, n)
		for i := range calls {
			rate(&calls[i], zones)
		}
		sort.Slice(calls, func(i, k int) bool { return calls[i].customer < calls[k].customer })
		log.Printf("day %d: the first pays %.2f", n, calls[0].price)
	}
}
