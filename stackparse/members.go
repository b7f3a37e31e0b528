package stackparse

// members collects a bucket's goroutines while its dump is read. A slice that grows by append is copied some five times
// over; pieces are copied once, when the dump ends and their number is known.
type members struct {
	full [][]Goroutine
	last []Goroutine
}

// A piece doubles up to maxPiece goroutines (56 KiB), so that small buckets stay small.
const (
	minPiece = 2
	maxPiece = 1024
)

func (m *members) add(g Goroutine) {
	if len(m.last) == cap(m.last) {
		if len(m.last) > 0 {
			m.full = append(m.full, m.last)
		}
		m.last = make([]Goroutine, 0, min(max(2*cap(m.last), minPiece), maxPiece))
	}
	m.last = append(m.last, g)
}

// all returns the n goroutines that were added, in order.
func (m *members) all(n int) []Goroutine {
	if len(m.full) == 0 {
		return m.last
	}
	all := make([]Goroutine, 0, n)
	for i, piece := range m.full {
		all = append(all, piece...)
		m.full[i] = nil
	}
	return append(all, m.last...)
}
