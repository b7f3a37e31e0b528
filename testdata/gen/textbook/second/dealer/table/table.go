// Package table passes the turn from seat to seat.
package table

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A Table has seats.
type Table struct {
	turn  atomic.Int64
	hands atomic.Int64
	seats []*Seat
}

// A Seat is a player's.
type Seat struct {
	*Table
	no int64
}

// New has n seats.
func New(n int) *Table {
	t := new(Table)
	for i := range n {
		t.seats = append(t.seats, &Seat{Table: t, no: int64(i)})
	}
	return t
}

// Seat is one of them.
func (t *Table) Seat(i int) *Seat { return t.seats[i] }

// Hands is how many were played.
func (t *Table) Hands() int64 { return t.hands.Load() }

// Turn reports whether it is this seat's turn.
func (s *Seat) Turn() bool {
	return s.turn.Load()%int64(len(s.seats)) == s.no
}

// Play plays one hand and returns what it won.
func (s *Seat) Play() int {
	for !s.Turn() {
		runtime.Gosched()
	}
	time.Sleep(3 * time.Millisecond)
	s.turn.Add(1)
	return int(s.hands.Add(1) % 5)
}
