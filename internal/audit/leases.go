package audit

import (
	"cmp"
	"slices"
	"time"
)

const (
	// maxLeaseWrites bounds the renewals that one log keeps, 40 bytes each: 30 leaders that renew every 2 s for 2
	// hours.
	maxLeaseWrites = 1 << 17
	// leaseRun is up to which gap renewals are one run, of which the first and the last are enough when there are too
	// many.
	leaseRun = 5 * time.Second
	// minRenewals is how many make a lease that is renewed, maxRenewal the longest period of one: client-go's electors
	// renew every 2 s, node leases and the servers' own every 10 s.
	minRenewals = 8
	maxRenewal  = 12 * time.Second
	// A pause is leasePause times the usual gap, and no less than minPause: the shortest lease in use lasts 6 s or so.
	leasePause = 2.5
	minPause   = 3500 * time.Millisecond
	// What lasts longer than longPause times the usual gap, and no less than minLong, is no renewal that came late: by
	// default a lease lasts 7.5 times as long as its holder takes to renew it (15 s and 2 s, client-go), and then it is
	// lost to another or its holder ends. The holder has ended, or talks to an API server whose log is missing.
	longPause  = 12
	minLong    = 20 * time.Second
	maxHolders = 8
)

// A Lease is how one Lease of a leader election was renewed. The leases of nodes and API servers are left out.
type Lease struct {
	Object  int32
	Writes  int
	Holders []Holder // in order of their coming, the first maxHolders
	// Named: bodies show the holders, or the pods that their tokens are bound to are known; else they are known by
	// user, agent and address.
	Named bool
	// Switches is how often the holder changed, Returns how often one came that had held it before.
	Switches, Returns int
	// Pauses is how often no renewal came for a time in which a lease is lost, while others were renewed.
	Pauses      int
	Longest     time.Duration // of the pauses
	Gap         time.Duration // the usual one
	First, Last int64
	// At is where the first change of the holder, or the first pause, ended; To the last.
	At, To         Place
	AtTime, ToTime int64
}

// A Holder wrote a lease as its holder.
type Holder struct {
	Name  string // holderIdentity, else the pod, else the address
	Actor int32
	N     int
}

// A leaseWrite is one renewal.
type leaseWrite struct {
	time              int64
	uid               uint64 // hash of the lease's uid, 0 where unknown
	lease, actor, who int32
	line              uint32
	file              uint16
	named             bool
	// run: thinLeases left out renewals between the one before and this. The time between them is no gap.
	run bool
}

// lease keeps a renewal.
func (r *Reader) lease(e *Event, actor int32) {
	l := r.log
	if e.Failed() || string(e.Namespace) == "kube-node-lease" || string(e.User) == "system:apiserver" ||
		e.Verb == VerbDelete || e.Verb == VerbDeleteCollection {
		return
	}
	if len(l.leases) >= maxLeaseWrites {
		if l.leases = thinLeases(l.leases); len(l.leases) >= maxLeaseWrites/2 {
			l.leasesLost = true
		}
	}
	if l.leasesLost && len(l.leases) >= maxLeaseWrites {
		return
	}
	w := leaseWrite{time: e.Received, actor: actor, line: uint32(r.place.Line), file: r.file}
	if w.lease = r.t.object(e.Group, e.Resource, e.Namespace, e.Name); w.lease < 0 || e.Received == 0 {
		return
	}
	body := e.Response
	if body == nil {
		body = e.Request
	}
	if body != nil {
		var meta, spec raw
		var holder, uid []byte
		r.arena = r.arena[:0]
		r.arena.members(body, 0, into{"metadata", &meta}, into{"spec", &spec})
		r.arena.members(meta, 0, into{"uid", &uid})
		w.uid = hashID(uid, nil)
		r.arena.members(spec, 0, into{"holderIdentity", &holder})
		if spec != nil && len(holder) == 0 {
			return // given up: the next one's turn begins when it comes
		}
		w.named, w.who = len(holder) > 0, r.t.text(holder)
	}
	if pod := e.pod(); !w.named && pod != nil {
		w.named, w.who = true, r.t.text(pod)
	}
	if !w.named {
		w.who = r.t.text(e.IP)
	}
	l.leases = append(l.leases, w)
}

// thinLeases leaves of each run of renewals by one writer the first and the last. What is longer than leaseRun, pauses
// above all, stays between two that are kept.
func thinLeases(list []leaseWrite) []leaseWrite {
	slices.SortStableFunc(list, byLease)
	kept := list[:0]
	near := func(a, b *leaseWrite) bool { return b.time-a.time <= leaseRun.Microseconds() }
	for i := range list {
		w := list[i]
		if n := len(kept); i+1 < len(list) && n > 0 && w.same(&kept[n-1]) && w.same(&list[i+1]) &&
			near(&list[i-1], &w) && near(&w, &list[i+1]) {
			list[i+1].run = true
			continue
		}
		kept = append(kept, w)
	}
	return kept
}

func byLease(a, b leaseWrite) int {
	return cmp.Or(cmp.Compare(a.lease, b.lease), cmp.Compare(a.time, b.time), cmp.Compare(a.who, b.who))
}

func (w *leaseWrite) same(o *leaseWrite) bool {
	return w.lease == o.lease && w.who == o.who && w.actor == o.actor
}

// leases looks at the renewals of each lease in order of time.
func (t *Trail) leases(all []leaseWrite) {
	slices.SortStableFunc(all, byLease)
	times := make([]int64, len(all)) // of all renewals of all leases
	for i := range all {
		times[i] = all[i].time
	}
	slices.Sort(times)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].lease == all[0].lease {
			n++
		}
		for _, renewals := range ofOneLease(all[:n]) {
			if l := t.leaseOf(renewals, times); l.Writes >= minRenewals {
				t.Leases = append(t.Leases, l)
			}
		}
		all = all[n:]
	}
}

// ofOneLease splits the renewals of one name by the lease's uid, as lives does; those that can't be separated are left
// out.
func ofOneLease(list []leaseWrite) [][]leaseWrite {
	uids := make([]uint64, len(list))
	for i := range list {
		uids[i] = list[i].uid
	}
	order := overlapping(uids)
	switch {
	case order == nil:
		return [][]leaseWrite{list}
	case slices.Contains(uids, 0):
		return nil
	}
	parts := make([][]leaseWrite, len(order))
	for i := range list {
		if at := slices.Index(order, uids[i]); at >= 0 {
			parts[at] = append(parts[at], list[i])
		}
	}
	return parts
}

func (t *Trail) leaseOf(list []leaseWrite, times []int64) Lease {
	l := Lease{Object: list[0].lease, First: list[0].time, Last: list[len(list)-1].time, Named: true}
	gaps := make([]int64, 0, len(list))
	for i := 1; i < len(list); i++ {
		if !list[i].run {
			gaps = append(gaps, list[i].time-list[i-1].time)
		}
	}
	l.Gap, _ = medianGap(gaps)
	pause := max(time.Duration(leasePause*float64(l.Gap)), minPause).Microseconds()
	long := max(longPause*l.Gap, minLong).Microseconds()
	now := -1 // the holder
	for i := range list {
		w := &list[i]
		l.Writes++
		l.Named = l.Named && w.named
		paused := i > 0 && !w.run && w.time-list[i-1].time >= pause && w.time-list[i-1].time <= long &&
			l.Gap <= maxRenewal && among(times, list[i-1].time, w.time)
		if paused {
			l.Pauses++
			l.Longest = max(l.Longest, time.Duration(w.time-list[i-1].time)*time.Microsecond)
		}
		who := t.holder(&l, w)
		switched := now >= 0 && who != now
		if switched && !w.named && !paused && who >= 0 && l.Holders[who].Actor == l.Holders[now].Actor {
			switched = false // the same client over another connection
		}
		if switched {
			l.Switches++
			if who >= 0 && l.Holders[who].N > 1 {
				l.Returns++
			}
		}
		if switched || paused {
			l.To, l.ToTime = t.leasePlace(w), w.time
			if l.AtTime == 0 {
				l.At, l.AtTime = l.To, w.time
			}
		}
		now = who
	}
	return l
}

// holder returns the index of the one that wrote, noting it; -1 where there are too many.
func (t *Trail) holder(l *Lease, w *leaseWrite) int {
	name := t.Texts[w.who]
	for i := range l.Holders {
		h := &l.Holders[i]
		if h.Name == name && (w.named || h.Actor == w.actor) {
			h.N++
			return i
		}
	}
	if len(l.Holders) == maxHolders {
		return -1
	}
	l.Holders = append(l.Holders, Holder{Name: name, Actor: w.actor, N: 1})
	return len(l.Holders) - 1
}

// among reports whether renewals of other leases came between two of one: else the servers were silent, or their log
// is.
func among(times []int64, from, to int64) bool {
	i, _ := slices.BinarySearch(times, from+1)
	return i < len(times) && times[i] < to
}

func (t *Trail) leasePlace(w *leaseWrite) Place {
	return Place{Path: t.paths[w.file], Line: int64(w.line)}
}
