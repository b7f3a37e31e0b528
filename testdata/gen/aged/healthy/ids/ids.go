// Package ids: numbers are made by a goroutine that waits until somebody asks.
package ids

import (
	"aged/kit"
)

type Source struct{ ids chan int }

func New() *Source { s := &Source{ids: make(chan int)}; go s.run(); return s }
func (s *Source) run() {
	for n := 0; ; n++ {
		s.ids <- n
	}
}

func (s *Source) Next() int { return <-s.ids }

// Main runs it.
func Main() {
	for range 20 {
		s := New()
		s.Next()
	}
	kit.Wait()
}
