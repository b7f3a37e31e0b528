package stackparse

// A chunkedList collects a bucket's goroutines while its dump is read. A slice that grows by append is copied some five times
// over; pieces are copied once, when the dump ends and their number is known.
type chunkedList struct {
	full [][]Goroutine
	last []Goroutine
}

// A piece doubles up to maxChunk goroutines (56 KiB), so that small buckets stay small.
const (
	minChunk = 2
	maxChunk = 1024
)

func (l *chunkedList) add(g Goroutine) {
	if len(l.last) == cap(l.last) {
		if len(l.last) > 0 {
			l.full = append(l.full, l.last)
		}
		l.last = make([]Goroutine, 0, min(max(2*cap(l.last), minChunk), maxChunk))
	}
	l.last = append(l.last, g)
}

// all returns the n goroutines that were added, in order.
func (l *chunkedList) all(n int) []Goroutine {
	if len(l.full) == 0 {
		return l.last
	}
	all := make([]Goroutine, 0, n)
	for i, piece := range l.full {
		all = append(all, piece...)
		l.full[i] = nil
	}
	return append(all, l.last...)
}
