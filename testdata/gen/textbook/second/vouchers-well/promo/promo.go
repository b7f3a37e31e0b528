// Package promo counts vouchers without a lock.
package promo

import (
	"context"
	"crypto/sha256"
	"sync/atomic"
	"time"
)

// A Pool packs the number of the round and of the vouchers left into one word.
type Pool struct{ state atomic.Uint64 }

const round = 1 << 32

// New has that many vouchers.
func New(left uint32) *Pool {
	p := new(Pool)
	p.state.Store(uint64(left))
	return p
}

// Left is how many are left.
func (p *Pool) Left() uint32 { return uint32(p.state.Load()) }

// Rounds starts a new round now and then.
func (p *Pool) Rounds(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			p.state.Add(round)
		case <-ctx.Done():
			return
		}
	}
}

// Take reports whether the customer gets one.
func (p *Pool) Take(customer string) bool {
	old := p.state.Load()
	if uint32(old) == 0 || !lucky(customer) {
		return false
	}
	for !p.state.CompareAndSwap(old, old-1) {
		if old = p.state.Load(); uint32(old) == 0 {
			return false
		}
	}
	return true
}

// lucky is one of two.
func lucky(customer string) bool {
	sum := sha256.Sum256([]byte(customer))
	for range 2000 {
		sum = sha256.Sum256(sum[:])
	}
	return sum[0]&1 == 0
}
