package export

import (
	"cmp"
	"slices"
)

// Records are put in order of time. Those of one time stay as they came, because stores number the records of a
// millisecond; where the newest came first they are turned round with the others, as Loki, Splunk and Kibana turn them.
// The lines decide where they show the order themselves: of the orders that are tried the one is taken in which the most
// headers of goroutines are followed by a call.

// A fit counts headers whose next line, by the same writer, is a call, and all headers.
type fit struct{ joined, headers int }

// order sorts what is held and reports whether its newest records came first.
func (h *holder) order() (falling bool) {
	rises, falls := h.turns()
	most := h.fit(h.recs)
	if falls == 0 && most.joined == most.headers {
		h.stats.Headers += most.headers
		return false
	}
	falling = falls > rises
	h.stats.Falling = h.stats.Falling || falling
	h.stats.Unsorted = h.stats.Unsorted || falls > 0 && rises > 0
	best := slices.Clone(h.recs)
	reversed := slices.Clone(h.recs)
	slices.Reverse(reversed)
	orders := [][]rec{byTime(h.recs), byTime(reversed), reversed}
	if falling {
		orders[0], orders[1] = orders[1], orders[0]
	}
	for i, next := range orders {
		f := h.fit(next)
		// Where nothing else decides the clock does.
		if f.joined > most.joined || i == 0 && falls > 0 && f.joined == most.joined {
			best, most = next, f
		}
	}
	copy(h.recs, best)
	h.stats.Headers += most.headers
	h.stats.Torn += most.headers - most.joined
	return falling
}

// turns counts how often time goes on and back between the records of each writer.
func (h *holder) turns() (rises, falls int) {
	last := make([]int64, h.writerCount())
	for i := range h.recs {
		r := &h.recs[i]
		if !r.timed {
			continue
		}
		if at := last[r.writer]; at != 0 && r.at > at {
			rises++
		} else if r.at < at {
			falls++
		}
		last[r.writer] = r.at
	}
	return rises, falls
}

func (h *holder) writerCount() int32 {
	most := int32(0)
	for i := range h.recs {
		most = max(most, h.recs[i].writer)
	}
	return most + 1
}

// byTime returns the records in order of time, those of one time as they are.
func byTime(recs []rec) []rec {
	out := slices.Clone(recs)
	slices.SortStableFunc(out, func(a, b rec) int { return cmp.Compare(a.at, b.at) })
	return out
}

// fit counts what is joined in an order.
func (h *holder) fit(recs []rec) (f fit) {
	open := make([]bool, h.writerCount()) // the last line of a writer is a header
	for i := range recs {
		r := &recs[i]
		if open[r.writer] && r.first == call {
			f.joined++
		}
		if open[r.writer] = r.end == header; r.end == header {
			f.headers++
		}
	}
	return f
}
