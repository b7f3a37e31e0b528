// Package board is the list of open alarms.
package board

import (
	"context"
	"slices"
	"sync"
	"time"
)

// An Alarm has a level from 0 to 2.
type Alarm struct {
	Unit  string
	Level int
	At    time.Time
}

// A Board passes on what is raised.
type Board struct {
	mu   sync.RWMutex
	open []Alarm
	out  chan Alarm
}

// New is an empty board.
func New() *Board { return &Board{out: make(chan Alarm)} }

// Out is where alarms of level 2 come out.
func (b *Board) Out() <-chan Alarm { return b.out }

// Raise enters an alarm.
func (b *Board) Raise(a Alarm) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = append(b.open, a)
	if a.Level == 2 {
		b.out <- a
	}
}

// Open is a copy of the list.
func (b *Board) Open() []Alarm {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Clone(b.open)
}

// Forget drops alarms that are older than a minute.
func (b *Board) Forget(ctx context.Context, every time.Duration) {
	for tick := time.NewTicker(every); ; {
		select {
		case now := <-tick.C:
			b.mu.Lock()
			b.open = slices.DeleteFunc(b.open, func(a Alarm) bool { return now.Sub(a.At) > time.Minute })
			b.mu.Unlock()
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}
