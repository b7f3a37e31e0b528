package audit

import "time"

// shortWatch is how long a watch at least goes on: the server ends them after 30 to 60 min (--min-request-timeout
// 1800 s), clients ask for 5 to 10 min (client-go reflector).
const shortWatch = 10 * time.Second

func (r *Reader) read(e *Event, key readKey) {
	rd, fresh := r.log.reads.of(key)
	if rd == nil {
		r.t.full = true
		return
	}
	if fresh {
		*rd = Read{Actor: key.actor, Verb: key.verb, Group: r.t.texts[key.group], Resource: r.t.texts[key.resource]}
	}
	rd.Count++
	if e.Failed() {
		rd.Failed++
	}
	if e.Verb == VerbList && e.fullList() {
		rd.Full++
	}
	if size := int64(e.BodyBytes); size > 0 {
		rd.Bytes += size
		if size > rd.MaxBytes {
			rd.MaxBytes, rd.Place = size, r.place
		}
	}
	if rd.Place.Path == "" {
		rd.Place = r.place
	}
	took := e.Took()
	if e.Verb == VerbWatch && took > 0 && took < shortWatch && !e.Failed() {
		rd.Short++
	}
	rd.First, rd.Last = earlier(rd.First, e.Received), max(rd.Last, e.Received)
}

func (r *Reader) answer(e *Event, key readKey, object int32) {
	a, fresh := r.log.answers.of(answerKey{readKey: key, code: e.Code})
	if a == nil {
		r.t.full = true
		return
	}
	if fresh {
		*a = Answer{
			Actor: key.actor, Verb: key.verb, Group: r.t.texts[key.group], Resource: r.t.texts[key.resource],
			Code: e.Code, First: e.Received, Place: r.place, Message: clip(e.Message), Object: -1,
		}
	}
	a.Count++
	a.Took += e.Took()
	a.First, a.Last = earlier(a.First, e.Received), max(a.Last, e.Received)
	if object >= 0 {
		vote(&a.Object, &a.ObjectCount, object)
	}
}

// vote is the majority vote of Boyer and Moore: candidate ends as the object that had more than half of the votes, where
// one had. lead is by how many it is ahead.
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

// slowFloor is from when on the API server itself calls a request slow (apiserver/pkg/server/filters, 1 s in its SLO).
const slowFloor = time.Second

func (r *Reader) latency(e *Event, key readKey) {
	if e.longRunning() || e.Received == 0 {
		return
	}
	s, fresh := r.log.slow.of(slowKey{verb: key.verb, group: key.group, resource: key.resource})
	if s == nil {
		r.t.full = true
		return
	}
	if fresh {
		*s = Slow{Verb: key.verb, Group: r.t.texts[key.group], Resource: r.t.texts[key.resource], Actor: -1}
	}
	s.Requests++
	took := e.Took()
	s.MaxEtcd = max(s.MaxEtcd, e.Etcd)
	if took < slowFloor {
		return
	}
	s.Over1s++
	if took >= 5*time.Second {
		s.Over5s++
	}
	if took >= 30*time.Second {
		s.Over30s++
	}
	s.First, s.Last = earlier(s.First, e.Received), max(s.Last, e.Received)
	if took > s.Max {
		s.Max, s.Place, s.Actor, s.Time = took, r.place, key.actor, e.Received
	}
}

// maxKinds bounds how many levels and stages are counted; there are four of each.
const maxKinds = 16

func count(list []Count, name []byte) []Count {
	for i := range list {
		if list[i].Name == string(name) {
			list[i].N++
			return list
		}
	}
	if len(list) == maxKinds {
		return list
	}
	return append(list, Count{Name: clip(name), N: 1})
}
