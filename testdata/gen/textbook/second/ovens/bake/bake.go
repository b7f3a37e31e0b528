// Package bake is the kitchen.
package bake

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Capacity is what all ovens take, in kilos.
const Capacity = 10

// ErrBurnt is bad luck.
var ErrBurnt = errors.New("burnt")

// A Kitchen has ovens.
type Kitchen struct {
	ovens  *semaphore.Weighted
	loaves atomic.Int64
}

// NewKitchen is empty.
func NewKitchen() *Kitchen { return &Kitchen{ovens: semaphore.NewWeighted(Capacity)} }

// Bake returns when the loaf is done.
func (k *Kitchen) Bake(kilos int64) error {
	if err := k.ovens.Acquire(context.Background(), kilos); err != nil {
		return err
	}
	time.Sleep(30 * time.Millisecond)
	if k.loaves.Add(1)%13 == 0 {
		return ErrBurnt
	}
	k.ovens.Release(kilos)
	return nil
}
