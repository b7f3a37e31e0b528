// Package table passes the turn from seat to seat.
package table

import (
	"sync/atomic"
	"time"
)

// A Table has seats.
type Table struct {
	hands atomic.Int64
	seats []*Seat
}

// A Seat is a player's.
type Seat struct {
	*Table
	no   int
	turn chan struct{}
}

// New has n seats.
func New(n int) *Table {
	t := new(Table)
	for i := range n {
		t.seats = append(t.seats, &Seat{Table: t, no: i, turn: make(chan struct{}, 1)})
	}
	t.seats[0].turn <- struct{}{}
	return t
}

// Seat is one of them.
func (t *Table) Seat(i int) *Seat { return t.seats[i] }

// Hands is how many were played.
func (t *Table) Hands() int64 { return t.hands.Load() }

// Turn waits for this seat's turn.
func (s *Seat) Turn() { <-s.turn }

// Play plays one hand and returns what it won.
func (s *Seat) Play() int {
	s.Turn()
	time.Sleep(3 * time.Millisecond)
	s.seats[(s.no+1)%len(s.seats)].turn <- struct{}{}
	return int(s.hands.Add(1) % 5)
}
