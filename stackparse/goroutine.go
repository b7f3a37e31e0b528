package stackparse

// Flags are facts of a goroutine's header.
type Flags uint16

// A Goroutine is one member of a bucket: what differs from its neighbours, 56 bytes.
type Goroutine struct {
	ID   uint64
	Line int64 // of its header
	// Wait is the address of what it waits for (mutex, channel, semaphore, cond), 0 where the text has none.
	Wait   uint64
	Parent uint64 // "in goroutine N", 0 where not printed
	// Minutes is as printed in the header: the collector that first finds a goroutine waiting dates its wait to the
	// end of the collection before (mgcmark.go, work.tstart), so it is off by up to one cycle (two minutes in an idle
	// process), and absent before the second. A runnable goroutine has none.
	Minutes uint32
	Thread  int32  // m=K, -1 for m=nil or not printed
	Labels  uint32 // index into Dump.Labels
	Bubble  uint32 // synctest bubble (group in 1.24), 0 for none
	State   uint16 // index into Dump.States
	Flags   Flags
}

// Runnable reports whether state (an element of Dump.States) is running or runnable.
func Runnable(state string) bool { return state == "running" || state == "runnable" }

// A chunkedList collects a bucket's goroutines while its dump is read. A slice that grows by append is copied some
// five times over; chunks are copied once, when the dump ends and their number is known.
type chunkedList struct {
	full [][]Goroutine
	last []Goroutine
}

// A chunk doubles up to maxChunk goroutines (56 KiB), so that small buckets stay small.
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
	for i, chunk := range l.full {
		all = append(all, chunk...)
		l.full[i] = nil
	}
	return append(all, l.last...)
}
