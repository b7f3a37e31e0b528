package audit

import (
	"slices"
	"time"
)

const (
	// shortWatch is how long a watch at least goes on: the server ends them after 30 to 60 min (--min-request-timeout
	// 1800 s), clients ask for 5 to 10 min (client-go reflector).
	shortWatch = 10 * time.Second
	// slowFloor is from when on the API server itself calls a request slow (apiserver/pkg/server/filters, 1 s in its
	// SLO).
	slowFloor = time.Second
	// maxKinds bounds how many levels and stages are counted; there are four of each.
	maxKinds = 16
)

// read counts one request.
func (r *Reader) read(e *Event, ask Ask) {
	size, took := int64(e.BodyBytes), e.Took()
	one := Read{
		Ask: ask, Count: 1, Bytes: size, MaxBytes: size, Place: r.place, First: e.Received, Last: e.Received,
	}
	if e.Verb == VerbList && e.fullList() {
		one.Full = 1
	}
	if e.Verb == VerbWatch && took > 0 && took < shortWatch && !e.Failed() {
		one.Short = 1
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
	case more.MaxBytes > r.MaxBytes:
		r.MaxBytes, r.Place = more.MaxBytes, more.Place
	}
	r.Count += more.Count
	r.Full += more.Full
	r.Bytes += more.Bytes
	r.Short += more.Short
	r.First, r.Last = earlier(r.First, more.First), max(r.Last, more.Last)
}

// answer counts one error.
func (r *Reader) answer(e *Event, ask Ask) {
	a := r.t.answers.of(answerKey{ask, e.Code})
	if a == nil {
		return
	}
	one := Answer{
		Ask: ask, Code: e.Code, Count: 1, Took: e.Took(), First: e.Received, Last: e.Received,
		Place: r.place, Object: -1,
	}
	if a.Count == 0 {
		one.Message = clip(e.Message)
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
	a.Took += more.Took
	a.First, a.Last = earlier(a.First, more.First), max(a.Last, more.Last)
}

// vote is the majority vote of Boyer and Moore: candidate ends as the object that had more than half of the votes,
// where one had. lead is by how many it is ahead.
func vote(candidate *int32, lead *int64, object int32) {
	switch {
	case *lead == 0:
		*candidate, *lead = object, 1
	case *candidate == object:
		*lead++
	default:
		*lead--
	}
}

// latency counts how long one request took.
func (r *Reader) latency(e *Event, ask Ask) {
	if e.longRunning() || e.Received == 0 {
		return
	}
	one := Slow{What: ask.What, Requests: 1, MaxEtcd: e.Etcd, Actor: -1}
	if took := e.Took(); took >= slowFloor {
		one.Over1s, one.Max, one.Place, one.Actor = 1, took, r.place, ask.Actor
		one.Time, one.First, one.Last = e.Received, e.Received, e.Received
		if took >= 5*time.Second {
			one.Over5s = 1
		}
		if took >= 30*time.Second {
			one.Over30s = 1
		}
	}
	r.t.slow.of(ask.What).add(&one)
}

// add takes what another log, or the next request, adds to s, if not nil.
func (s *Slow) add(more *Slow) {
	switch {
	case s == nil:
		return
	case s.Requests == 0:
		*s = *more
		return
	case more.Max > s.Max:
		s.Max, s.Place, s.Actor, s.Time = more.Max, more.Place, more.Actor, more.Time
	}
	s.Requests += more.Requests
	s.Over1s += more.Over1s
	s.Over5s += more.Over5s
	s.Over30s += more.Over30s
	s.MaxEtcd = max(s.MaxEtcd, more.MaxEtcd)
	s.First, s.Last = earlier(s.First, more.First), max(s.Last, more.Last)
}

// count adds n to the count of a name.
func count(list []Count, name []byte, n int64) []Count {
	i := slices.IndexFunc(list, func(c Count) bool { return c.Name == string(name) })
	switch {
	case i >= 0:
		list[i].N += n
	case len(list) < maxKinds:
		list = append(list, Count{Name: clip(name), N: n})
	}
	return list
}
