// Package billing sends bills to customers.
package billing

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Run bills all customers.
type Run struct {
	addresses []string
	sent      atomic.Int64
}

// New is a run for customers at these addresses.
func New(addresses []string) *Run { return &Run{addresses: addresses} }

// Sent is the number of bills so far.
func (r *Run) Sent() int64 { return r.sent.Load() }

// Month bills everybody, side by side, and returns the number of bills so far.
func (r *Run) Month() int64 {
	var group sync.WaitGroup
	for i := range r.addresses {
		group.Add(1)
		go r.bill(i, &group)
	}
	group.Wait()
	return r.Sent()
}

func (r *Run) bill(i int, group *sync.WaitGroup) {
	if r.addresses[i] == "" {
		return
	}
	time.Sleep(3 * time.Second)
	r.sent.Add(1)
	group.Done()
}
