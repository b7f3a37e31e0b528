package audit

import (
	"slices"
	"time"
)

// slowFloor is from when on the API server itself calls a request slow (apiserver/pkg/server/filters, 1 s in its SLO).
const slowFloor = time.Second

// maxKinds bounds how many levels and stages are counted; there are four of each.
const maxKinds = 16

// read counts one request.
func (r *Reader) read(e *Event, ask ActorRequest) {
	one := Read{ActorRequest: ask, Count: 1, Place: r.place, First: e.Received, Last: e.Received}
	if e.Verb == VerbList && e.fullList() {
		one.Full = 1
	}
	if took := e.Took(); took >= slowFloor && !e.longRunning() {
		one.Slow = Slow{Count: 1, Max: took, Part: e.Part, InPart: e.InPart, Place: r.place, First: e.Received,
			Last: e.Received}
	}
	r.t.reads.of(ask).add(&one)
}

// add takes what another log, or the next request, adds to r, if not nil.
func (r *Read) add(more *Read) {
	switch {
	case r == nil:
		return
	case r.Count == 0:
		*r = *more
		return
	}
	r.Count += more.Count
	r.Full += more.Full
	r.First, r.Last = earlier(r.First, more.First), max(r.Last, more.Last)
	r.Slow.add(&more.Slow)
}

func (s *Slow) add(more *Slow) {
	s.Count += more.Count
	s.First, s.Last = earlier(s.First, more.First), max(s.Last, more.Last)
	if more.Max > s.Max {
		s.Max, s.Part, s.InPart, s.Place = more.Max, more.Part, more.InPart, more.Place
	}
}

// answer counts one error.
func (r *Reader) answer(e *Event, ask ActorRequest) {
	a := r.t.answers.of(answerKey{ask, e.Code})
	if a == nil {
		return
	}
	one := Answer{
		ActorRequest: ask, Code: e.Code, Count: 1, First: e.Received, Last: e.Received,
		Place: r.place, Object: -1,
	}
	if a.Count == 0 {
		one.Message = Clip(e.Message)
	}
	a.add(&one)
}

// add takes what another log, or the next request, adds to a, if not nil.
func (a *Answer) add(more *Answer) {
	if a == nil {
		return
	}
	if a.Count == 0 {
		*a = *more
		return
	}
	a.Count += more.Count
	a.First, a.Last = earlier(a.First, more.First), max(a.Last, more.Last)
}

// count adds n to the count of a name.
func count(list []Count, name []byte, n int64) []Count {
	i := slices.IndexFunc(list, func(c Count) bool { return c.Name == string(name) })
	switch {
	case i >= 0:
		list[i].N += n
	case len(list) < maxKinds:
		list = append(list, Count{Name: Clip(name), N: n})
	}
	return list
}
