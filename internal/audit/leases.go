package audit

import (
	"cmp"
	"slices"
	"strings"
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
	longPause = 12
	minLong   = 20 * time.Second
	// atOnce is up to when a renewal follows at once: client-go renews a lease within milliseconds of taking it.
	atOnce     = time.Second
	maxHolders = 8
	maxBases   = 256 // pods of holders that are distinguished
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
	// Given is how many of the Switches came after the holder had given the lease up, as bodies show, and Handed how
	// many without a pause, after a turn of several writes that did not begin as an elector's does. A leader that has
	// lost its lease does neither.
	Given, Handed int
	// Turns are parted by switches and pauses; Brief is how many are of two writes that are apart: what takes a lock
	// and gives it up makes two, and an elector renews its lease as soon as it has taken it.
	Turns, Brief int
	// Fresh is how many turns were the first of a holder's pod: the runs of a Job are new each time.
	Fresh int
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
	known, released   bool // a body shows the holder; that there is none any more
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
	if len(l.leases) >= maxLeaseWrites && !l.leasesThin {
		// What leaves less than half of the room free would be done ever more often.
		l.leases = thinLeases(l.leases)
		l.leasesThin = len(l.leases) >= maxLeaseWrites/2
	}
	if len(l.leases) >= maxLeaseWrites {
		l.leasesLost++
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
		w.known, w.released = spec != nil, spec != nil && len(holder) == 0
		w.named, w.who = len(holder) > 0, r.t.text(holder)
	}
	if pod := e.pod(); !w.named && !w.released && pod != nil {
		w.named, w.who = true, r.t.text(pod)
	}
	if !w.named && !w.released {
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
	l.Gap = usualGap(list)
	pause := max(time.Duration(leasePause*float64(l.Gap)), minPause).Microseconds()
	long := max(longPause*l.Gap, minLong).Microseconds()
	now := -1 // the holder
	var last *leaseWrite
	var turn leaseTurn
	for i := range list {
		w := &list[i]
		if w.released {
			turn.given = true
			continue
		}
		l.Writes++
		l.Named = l.Named && w.named
		gap := int64(0)
		if last != nil && !w.run {
			gap = w.time - last.time
		}
		paused := gap >= pause && gap <= long && !turn.given && l.Gap <= maxRenewal && among(times, last.time, w.time)
		if paused {
			l.Pauses++
			l.Longest = max(l.Longest, time.Duration(gap)*time.Microsecond)
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
			l.handed(&turn, w, gap < pause)
		}
		if switched || paused {
			l.To, l.ToTime = t.leasePlace(w), w.time
			if l.AtTime == 0 {
				l.At, l.AtTime = l.To, w.time
			}
			l.ended(&turn, !switched)
		}
		l.begun(&turn, t.Texts[w.who])
		turn.add(w)
		now, last = who, w
	}
	return l
}

// usualGap is the usual time between renewals.
func usualGap(list []leaseWrite) time.Duration {
	gaps, last := make([]int64, 0, len(list)), int64(0)
	for i := range list {
		w := &list[i]
		if w.released {
			continue
		}
		if last > 0 && !w.run {
			gaps = append(gaps, w.time-last)
		}
		last = w.time
	}
	gap, _ := medianGap(gaps)
	return gap
}

// A leaseTurn is what one holder wrote until it lost the lease, gave it up or paused.
type leaseTurn struct {
	writes      int
	first, last int64
	given       bool
	elector     bool            // the second write came at once, as an elector renews what it has just taken
	again       bool            // the turn before was of the same holder, who paused
	bases       map[string]bool // of the holders of this turn and of those before
}

func (n *leaseTurn) add(w *leaseWrite) {
	switch n.writes {
	case 0:
		n.first = w.time
	case 1:
		n.elector = w.time-n.first < atOnce.Microseconds() && !n.again
	}
	n.writes++
	if w.run {
		n.writes++ // at least one was left out
	}
	n.last = w.time
}

// handed counts how a turn ended that another holder followed, by its first write.
func (l *Lease) handed(n *leaseTurn, next *leaseWrite, soon bool) {
	switch {
	case n.given:
		l.Given++
	case soon && (n.writes > 1 || n.again) && !n.elector && !next.known:
		l.Handed++
	}
}

// ended counts a turn; again: the next one is of the same holder.
func (l *Lease) ended(n *leaseTurn, again bool) {
	l.Turns++
	if n.writes == 2 && n.last-n.first >= atOnce.Microseconds() {
		l.Brief++
	}
	*n = leaseTurn{bases: n.bases, again: again}
}

// begun notes the holder of a turn's first write: whether its pod has had the lease before.
func (l *Lease) begun(n *leaseTurn, holder string) {
	if n.writes > 0 {
		return
	}
	base := holder
	if at := strings.LastIndexByte(holder, '_'); at > 0 {
		base = holder[:at] // client-go: HOST_UUID, with a new UUID at each start
	}
	if n.bases == nil {
		n.bases = map[string]bool{}
	}
	if !n.bases[base] && len(n.bases) < maxBases {
		n.bases[base] = true
		l.Fresh++
	}
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
