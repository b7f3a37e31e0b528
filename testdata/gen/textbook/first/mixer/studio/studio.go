// Package studio mixes sound.
package studio

import (
	"context"
	"sync/atomic"
)

// A Mixer has two inputs.
type Mixer struct {
	Left, Right chan []int16
	peak        atomic.Int64
}

// New is a mixer without inputs.
func New() *Mixer { return &Mixer{Left: make(chan []int16), Right: make(chan []int16)} }

// Peak is the loudest sample so far.
func (m *Mixer) Peak() int64 { return m.peak.Load() }

// Run mixes until the show ends.
func (m *Mixer) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case block := <-m.Left:
			m.mix(block, 3)
		case block := <-m.Right:
			m.mix(block, 4)
		default:
		}
	}
}

func (m *Mixer) mix(block []int16, gain int64) {
	var peak int64
	for range 20 {
		for i := range block {
			block[i] += int16(i)
			peak = max(peak, int64(block[i])*gain)
		}
	}
	m.peak.Store(peak)
}
