package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

const (
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
	// atOnce is up to when a renewal follows at once: client-go renews a lease within milliseconds of taking it.
	atOnce = time.Second
)

// A Lease is how one Lease of a leader election was renewed. The leases of nodes and API servers are left out.
type Lease struct {
	Object  int32
	Writes  int
	Holders []Holder // in order of their coming, the first maxHolders
	// Switches is how often the holder changed, Returns how often one came that had held it before, and Handed how
	// many of the switches came after the holder had given the lease up, as bodies show, or without a pause, after a
	// turn that did not begin as an elector's does. A leader that has lost its lease does neither.
	Switches, Returns, Handed int
	// Quick is how many writes came at once after another: an elector renews what it has just taken.
	Quick int
	// Pauses is how often no renewal came for a time in which a lease is lost, while others were renewed, and one that
	// had held it before went on.
	Pauses      int
	Longest     time.Duration // of the pauses
	Gap         time.Duration // the usual one
	First, Last int64
	// From is the first change of the holder or the first renewal after a pause, To the last.
	From, To Renewal
}

// A Holder wrote a lease as its holder.
type Holder struct {
	Name  string // holderIdentity without what each process makes up, else the pod, else the address
	Actor int32
	N     int
}

// A Renewal is one write of a lease.
type Renewal struct {
	Time              int64
	uid               uint64 // hash of the lease's uid, 0 where unknown
	lease, actor, who int32
	line              uint32
	file              uint16
	named             bool // who is a holder or a pod, no address
	known, released   bool // a body shows the holder; that there is none any more
}

// renewal keeps a write of a lease.
func (r *Reader) renewal(e *Event, actor int32) {
	l := r.log
	if e.failed() || string(e.Namespace) == "kube-node-lease" || string(e.User) == "system:apiserver" ||
		e.Verb == VerbDelete || e.Verb == VerbDeleteCollection {
		return
	}
	if len(l.renewals) >= r.o.MaxWrites {
		l.renewalsLost++
		return
	}
	w := Renewal{Time: e.Received, actor: actor, line: uint32(r.place.Line), file: r.file}
	if w.lease = r.t.object(e.Group, e.Resource, e.Namespace, e.Name); w.lease < 0 || e.Received == 0 {
		return
	}
	body := e.Response
	if body == nil {
		body = e.Request
	}
	who := e.IP
	if pod := e.pod(); pod != nil {
		w.named, who = true, pod
	}
	if body != nil {
		var meta, spec rawValue
		var holder, uid []byte
		r.arena = r.arena[:0]
		r.arena.members(body, 0, member{"metadata", &meta}, member{"spec", &spec})
		r.arena.members(meta, 0, member{"uid", &uid})
		r.arena.members(spec, 0, member{"holderIdentity", &holder})
		w.uid, w.known, w.released = hashID(uid, nil), spec != nil, spec != nil && len(holder) == 0
		if len(holder) > 0 {
			w.named, who = true, holder
		}
	}
	w.who = r.t.text(who)
	l.renewals = append(l.renewals, w)
}

// leases looks at the renewals of each lease in order of time.
func (t *Trail) leases(all []Renewal) {
	slices.SortStableFunc(all, func(a, b Renewal) int {
		return cmp.Or(cmp.Compare(a.lease, b.lease), cmp.Compare(a.Time, b.Time), cmp.Compare(a.who, b.who))
	})
	times := make([]int64, len(all)) // of all renewals of all leases
	for i := range all {
		times[i] = all[i].Time
	}
	slices.Sort(times)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].lease == all[0].lease {
			n++
		}
		if of := all[:n]; !mixed(of, func(w *Renewal) uint64 { return w.uid }) {
			if l := t.leaseOf(of, times); l.Writes >= minRenewals {
				t.Leases = append(t.Leases, l)
			}
		}
		all = all[n:]
	}
}

func (t *Trail) leaseOf(list []Renewal, times []int64) Lease {
	l := Lease{Object: list[0].lease, First: list[0].Time, Last: list[len(list)-1].Time}
	l.Gap = usualGap(list)
	pause := max(time.Duration(leasePause*float64(l.Gap)), minPause).Microseconds()
	long := max(longPause*l.Gap, minLong).Microseconds()
	now, given := -1, false // the holder, and whether it gave the lease up
	var last *Renewal
	turn := 0      // writes since the holder came
	quick := false // the second of them came at once
	for i := range list {
		w := &list[i]
		if w.released {
			given = true
			continue
		}
		l.Writes++
		who := t.holder(&l, w)
		gap := int64(0)
		if last != nil {
			gap = w.Time - last.Time
		}
		paused := gap >= pause && gap <= long && !given && l.Gap <= maxRenewal && among(times, last.Time, w.Time)
		// Without names, the same client over another connection is no switch.
		switched := now >= 0 && who >= 0 && who != now &&
			(w.named || paused || l.Holders[who].Actor != l.Holders[now].Actor)
		known := who >= 0 && l.Holders[who].N > 1
		if paused = paused && known; paused {
			l.Pauses++
			l.Longest = max(l.Longest, time.Duration(gap)*time.Microsecond)
		}
		if switched {
			l.Switches++
			if known {
				l.Returns++
			}
			if given || gap < pause && turn > 1 && !quick && !w.known {
				l.Handed++
			}
			turn = 0
		}
		soon := last != nil && gap < atOnce.Microseconds()
		if soon {
			l.Quick++
		}
		if turn++; turn == 2 {
			quick = soon
		}
		if switched || paused {
			if l.To = *w; l.From.Time == 0 {
				l.From = *w
			}
		}
		now, last, given = who, w, false
	}
	return l
}

// usualGap is the usual time from one renewal to the next.
func usualGap(list []Renewal) time.Duration {
	gaps := make([]int64, 0, len(list))
	for i := range list[1:] {
		if !list[i].released {
			gaps = append(gaps, list[i+1].Time-list[i].Time)
		}
	}
	return Median(gaps)
}

// holder returns the index of the one that wrote, noting it; -1 where there are too many.
func (t *Trail) holder(l *Lease, w *Renewal) int {
	name := t.Texts[w.who]
	if i := strings.LastIndexByte(name, '_'); w.known && i > 0 {
		name = name[:i] // client-go: HOST_UUID, with a new UUID at each start
	}
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

// Median sorts microseconds and returns their median, 0 for none.
func Median(gaps []int64) time.Duration {
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return time.Duration(gaps[len(gaps)/2]) * time.Microsecond
}

// mixed reports writes of objects of two clusters that have one name: bodies show that their uids take turns. 0 is
// unknown.
func mixed[T any](writes []T, uidOf func(*T) uint64) bool {
	seen, last := map[uint64]bool{}, uint64(0)
	for i := range writes {
		uid := uidOf(&writes[i])
		if uid == 0 || uid == last {
			continue
		}
		if last = uid; seen[uid] {
			return true
		}
		seen[uid] = true
	}
	return false
}

// among reports whether renewals of other leases came between two of one: else the servers were silent, or their log
// is.
func among(times []int64, from, to int64) bool {
	i, _ := slices.BinarySearch(times, from+1)
	return i < len(times) && times[i] < to
}

// PlaceOf is where a renewal's event is.
func (t *Trail) PlaceOf(w *Renewal) Place { return Place{Path: t.paths[w.file], Line: int64(w.line)} }
