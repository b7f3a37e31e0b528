package stackparse

import (
	"math"
	"math/bits"
)

// Flags are facts of a goroutine's header.
type Flags uint16

// A Goroutine is one member of a bucket: what differs from its neighbours, 40 bytes: a run keeps millions.
type Goroutine struct {
	ID uint64
	// Wait is the address of what it waits for (mutex, channel, semaphore, cond), 0 where the text has none.
	Wait   uint64
	Parent uint64 // "in goroutine N", 0 where not printed
	Line   uint32 // of its header; math.MaxUint32 for those beyond
	// Minutes is as printed in the header: the collector that first finds a goroutine waiting dates its wait to the
	// end of the collection before (mgcmark.go, work.tstart), so it is off by up to one cycle (two minutes in an idle
	// process), and absent before the second. A runnable goroutine has none.
	Minutes uint32
	Labels  uint16 // index into Dump.Labels
	Bubble  uint16 // synctest bubble (group in 1.24), 0 for none; math.MaxUint16 for those beyond
	State   uint16 // index into Dump.States
	Flags   Flags
}

// lineOf is a Goroutine.Line.
func lineOf(num int64) uint32 { return uint32(min(num, math.MaxUint32)) }

// Runnable reports whether state (an element of Dump.States) is running or runnable.
func Runnable(state string) bool { return state == "running" || state == "runnable" }

// A chunkedList collects a bucket's goroutines while its dump is read. A slice that grows by append is copied some
// five times over; chunks are copied once, when the dump ends and their number is known.
type chunkedList struct {
	full [][]Goroutine
	last []Goroutine
}

// A chunk doubles up to maxChunk goroutines (40 KiB), so that small buckets stay small.
const (
	minChunk = 1
	maxChunk = 1024
)

// A chunkStore keeps chunks for the next dump of a stream.
type chunkStore struct {
	spare [11][][]Goroutine // by the logarithm of their size
	room  int               // goroutines that they have room for
}

// maxSpare bounds the room of the chunks that wait for the next dump: 320 KiB. Real dumps have some 2,800 goroutines,
// whose chunks have room for 5,500.
const maxSpare = 1 << 13

// next returns an empty chunk for n goroutines, a power of two.
func (s *chunkStore) next(n int) []Goroutine {
	of := &s.spare[bits.TrailingZeros(uint(n))]
	if k := len(*of) - 1; k >= 0 {
		chunk := (*of)[k]
		*of = (*of)[:k]
		s.room -= n
		return chunk
	}
	return make([]Goroutine, 0, n)
}

// take keeps a chunk whose goroutines were copied.
func (s *chunkStore) take(chunk []Goroutine) {
	if s.room+cap(chunk) > maxSpare {
		return
	}
	of := &s.spare[bits.TrailingZeros(uint(cap(chunk)))]
	*of = append(*of, chunk[:0])
	s.room += cap(chunk)
}

func (l *chunkedList) add(g Goroutine, spare *chunkStore) {
	if len(l.last) == cap(l.last) {
		if len(l.last) > 0 {
			l.full = append(l.full, l.last)
		}
		l.last = spare.next(min(max(2*cap(l.last), minChunk), maxChunk))
	}
	l.last = append(l.last, g)
}

// all returns the n goroutines that were added, in order.
func (l *chunkedList) all(n int, spare *chunkStore) []Goroutine {
	if len(l.full) == 0 {
		return l.last
	}
	all := make([]Goroutine, 0, n)
	for i, chunk := range l.full {
		all = append(all, chunk...)
		spare.take(chunk)
		l.full[i] = nil
	}
	all = append(all, l.last...)
	spare.take(l.last)
	return all
}

// A lastBucket is what a stack's bucket in the dump before had: parked goroutines show the same text and words in dump
// after dump, and their buckets share them.
type lastBucket struct {
	text    string
	samples []Sample
}

// words is how many words the samples have.
func (l *lastBucket) words() int {
	n := 0
	for i := range l.samples {
		n += len(l.samples[i].Words)
	}
	return n
}

// samplesBehind are the samples of the dump before, where those of a bucket so far are the first of them; nil where
// they differ.
func (l *lastBucket) samplesBehind(own []Sample) []Sample {
	if l == nil || len(own) > len(l.samples) || len(own) > 0 && &l.samples[0] != &own[0] {
		return nil
	}
	return l.samples
}
