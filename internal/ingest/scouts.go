package ingest

import (
	"runtime"
	"sync"

	"github.com/gotriage/triage/internal/ingest/framing"
)

const (
	// maxScouts bounds those of one source: each takes two buffers more.
	maxScouts = 8
	// scoutFrom is how much of a source is scanned before scouts are worth their start: 4 MiB take 2 ms.
	scoutFrom = 4 << 20
)

// scouts look at chunks before they are scanned, side by side.
type scouts struct {
	n    int
	work chan *chunk
	room sync.Pool
}

// scout starts n scouts, where none are under way. They end with the reader.
func (a *readAhead) scout(n int, newLook func() framing.Look, end func()) {
	s := &scouts{n: n, work: make(chan *chunk, cap(a.full)+1)}
	var all sync.WaitGroup
	for range n {
		all.Go(func() { s.run(a, framing.NewScout(newLook())) })
	}
	go func() {
		all.Wait()
		end()
	}()
	a.scouts.Store(s)
}

func (s *scouts) run(a *readAhead, scout *framing.Scout) {
	for {
		select {
		case c := <-s.work:
			s.look(c, scout)
			// The parser may take the chunk now. Scouts that go on while there is something to look at keep it waiting,
			// and then a processor sleeps while the parser is alone: up to an eighth of the wall time.
			runtime.Gosched()
			continue
		case <-a.closed:
		case <-a.done:
		}
		for { // what was read to the end is waited for
			select {
			case c := <-s.work:
				s.look(c, scout)
			default:
				return
			}
		}
	}
}

// begin marks a chunk as one that is looked at.
func (c *chunk) begin() *chunk {
	c.looked = make(chan struct{})
	return c
}

func (s *scouts) look(c *chunk, scout *framing.Scout) {
	defer close(c.looked)
	// A scout that fails costs the time that it would have saved.
	defer func() {
		if recover() != nil {
			c.marks.Sight = nil
		}
	}()
	c.marks = framing.MarksOf(c.data)
	room, _ := s.room.Get().(*framing.Sight)
	scout.See(c.data, &c.marks, room)
}

// reuse gives room for what another buffer shows.
func (s *scouts) reuse(seen *framing.Sight) {
	if s != nil && seen != nil {
		s.room.Put(seen)
	}
}

// buffers is how many may be in use with these scouts.
func (s *scouts) buffers() int {
	if s == nil {
		return 0
	}
	return maxBuffers + 2*s.n
}

// wantsScouts starts scouts where they are worth it: in a large text of which goroutines were taken.
func (r *reading) wantsScouts(in *readAhead, bytes int64) {
	if r.h.Ahead == nil || in.scouts.Load() != nil || !r.scan.Took() || bytes < scoutFrom && r.o.Piece == 0 {
		return
	}
	procs := runtime.GOMAXPROCS(0)
	if procs == 1 {
		return
	}
	if n := r.allowance.Borrow(min(procs, maxScouts), procs); n > 0 {
		in.scout(n, r.h.Ahead, func() { r.allowance.Return(n) })
	}
}
