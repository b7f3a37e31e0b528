// Package depot holds the shelves of a parcel station.
package depot

import (
	"errors"
	"strconv"
	"sync"
)

// What Claim returns.
var (
	ErrCode  = errors.New("wrong code")
	ErrEmpty = errors.New("nothing there")
)

// A Shelf has boxes, each with a code.
type Shelf struct {
	mu    sync.Mutex
	boxes map[string]string
	size  int
}

// NewShelf is a full shelf.
func NewShelf(size int) *Shelf {
	s := &Shelf{boxes: map[string]string{}, size: size}
	s.Refill()
	return s
}

// Refill puts a parcel into each empty box and says how many.
func (s *Shelf) Refill() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.size {
		if k := strconv.Itoa(i); s.boxes[k] == "" {
			s.boxes[k] = "1234"
			n++
		}
	}
	return n
}

// Claim opens a box.
func (s *Shelf) Claim(box, code string) error {
	s.mu.Lock()
	want, ok := s.boxes[box]
	if !ok {
		s.mu.Unlock()
		return ErrEmpty
	}
	if code != want {
		return ErrCode
	}
	delete(s.boxes, box)
	s.mu.Unlock()
	return nil
}
