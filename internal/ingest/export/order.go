package export

import (
	"cmp"
	"slices"
)

// Records are put in order of time. Those of one time stay as they came, because stores number the records of a
// millisecond; where the newest came first they are turned round with the others, as Loki, Splunk and Kibana turn them.
// The lines decide where they show the order themselves: of the orders that are tried the one is taken in which the
// most headers of goroutines are followed by a call.

// A joinCount counts headers whose next line, by the same writer, is a call, and all headers.
type joinCount struct{ joined, headers int }

// order sorts what is held and reports whether its newest records came first.
func (h *holder) order() (falling bool) {
	rises, falls := h.turns()
	file := h.placesOf(false)
	best, most := file, h.fit(file)
	if falls > 0 || most.joined < most.headers {
		falling = falls > 4*rises
		h.stats.Falling = h.stats.Falling || falling
		h.stats.Unsorted = h.stats.Unsorted || falls > 0 && rises > 0
		for i, back := range []bool{falling, !falling} {
			next := h.placesOf(back)
			h.byTime(next, back)
			// Where the lines don't decide the clock does.
			if f := h.fit(next); f.joined > most.joined || i == 0 && falls > 0 && f.joined == most.joined {
				best, most = next, f
			}
			if most.joined == most.headers {
				break
			}
		}
		if back := h.placesOf(true); most.joined < most.headers && h.fit(back).joined > most.joined {
			best, most = back, h.fit(back)
		}
		sorted := make([]heldRecord, len(best))
		for i, at := range best {
			sorted[i] = h.recs[at]
		}
		copy(h.recs, sorted)
	}
	h.stats.Headers += most.headers
	h.stats.Torn += most.headers - most.joined
	h.lost = most.headers-most.joined > 1+most.headers/maxTorn
	return falling
}

// maxTorn: of so many headers the stack of one may be missing, because a dump is cut or a logger has written between
// its lines. Where more are the order is lost: half of them in lines shuffled at random, none in 240 exports in order.
const maxTorn = 20

// placesOf returns the places of the records in recs, in their order or, with back, the other way round.
func (h *holder) placesOf(back bool) []int32 {
	all := make([]int32, len(h.recs))
	for i := range all {
		all[i] = int32(i)
	}
	if back {
		slices.Reverse(all)
	}
	return all
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

// byTime sorts the places of records, those of one time as the records are or, with back, the other way round.
func (h *holder) byTime(all []int32, back bool) {
	slices.SortFunc(all, func(a, b int32) int {
		if c := cmp.Compare(h.recs[a].at, h.recs[b].at); c != 0 {
			return c
		}
		if back {
			a, b = b, a
		}
		return cmp.Compare(a, b)
	})
}

// fit counts what is joined in an order.
func (h *holder) fit(places []int32) (f joinCount) {
	open := make([]bool, h.writerCount()) // the last line of a writer is a header
	for _, at := range places {
		r := &h.recs[at]
		if open[r.writer] && r.first == call {
			f.joined++
		}
		if open[r.writer] = r.end == header; r.end == header {
			f.headers++
		}
	}
	return f
}
