package goroutines

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A view is one dump in groups, with what their facts are read from.
type view struct {
	*rules.DumpInput
	groups    []*group
	total     int    // goroutines of all groups
	oldest    uint32 // the longest wait of all
	computing int    // groups that compute
	// locks are the groups without a role that wait for locks, by the type whose method waits: the two largest.
	locks map[string][2]*group
	// inside and moving count the goroutines in a package: all, and those that are not blocked.
	inside, moving map[string]int
	active         map[string]*group // of those, the largest group
	parents        map[string]bool   // functions that started goroutines which are blocked
	earlier        *rules.DumpInput  // of the same process; nil for none
	before         map[key]*group    // its groups
	crowd          *group            // the largest with a role that dominates the process
}

// look brings a dump into groups and gives them points.
func look(of subject) *view {
	s := &view{
		DumpInput: of.dump, groups: groupsOf(of.dump), earlier: of.before, before: map[key]*group{},
		locks: map[string][2]*group{}, inside: map[string]int{}, moving: map[string]int{},
		active: map[string]*group{}, parents: map[string]bool{},
	}
	if of.before != nil {
		for _, g := range groupsOf(of.before) {
			s.before[g.key] = g
		}
	}
	for _, g := range s.groups {
		s.count(g)
	}
	for _, g := range s.groups {
		if dominates(s, g) && (s.crowd == nil || s.crowd.n < g.n) {
			s.crowd = g
		}
	}
	for _, g := range s.groups {
		for i := range facts {
			g.points += facts[i].points * facts[i].of(s, g)
		}
	}
	return s
}

// count adds a group to what others are held against.
func (s *view) count(g *group) {
	s.total += g.n
	s.oldest = max(s.oldest, g.minutes)
	if g.silent() {
		return
	}
	if g.computes() {
		s.computing++
	}
	if g.peers() {
		s.parents[g.parent()] = true
	}
	for i, c := range g.calls {
		if slices.ContainsFunc(g.calls[:i], func(near call) bool { return near.pkg == c.pkg }) {
			continue
		}
		s.inside[c.pkg] += g.n
		if g.moves() {
			s.moving[c.pkg] += g.n
			if most := s.active[c.pkg]; most == nil || most.n < g.n {
				s.active[c.pkg] = g
			}
		}
	}
	if g.kind == lock && g.free() && len(g.calls) > 0 && g.calls[0].receiver != "" {
		two := s.locks[g.calls[0].receiver]
		switch {
		case two[0] == nil || two[0].n < g.n:
			two = [2]*group{g, two[0]}
		case two[1] == nil || two[1].n < g.n:
			two[1] = g
		}
		s.locks[g.calls[0].receiver] = two
	}
}

// groupsOf are the groups of a dump, in order of their largest buckets.
func groupsOf(d *rules.DumpInput) (all []*group) {
	byKey, byBucket := map[key]*group{}, make([]*group, len(d.Buckets))
	for i, b := range d.Buckets {
		st := stacks.Of(d, b)
		if st.place.Function == "" || strings.HasPrefix(st.place.Function, "0x") { // stacks without names
			continue
		}
		role, kind := d.RoleOf(i), kindOf(b.Class)
		k := key{rules.PlainName(st.place.Function), st.creator, string(kind)}
		if role != nil {
			k.kind = role.Name
		}
		g := byKey[k]
		if g == nil {
			g = &group{key: k, stack: st, role: role, kind: kind}
			byKey[k] = g
			all = append(all, g)
		}
		byBucket[i] = g
		g.buckets = append(g.buckets, b)
		g.n += b.Count
		g.minutes = max(g.minutes, b.MaxMinutes)
		g.dumps = g.dumps || makesDump(d, b)
	}
	if waits := parsed.Waits(d); waits != nil {
		addWaits(byBucket, waits, d.Counted())
	}
	return all
}

// makesDump reports whether a bucket is that of the goroutine that made the dump: it is listed first, and the call that
// makes the dump is not.
func makesDump(d *rules.DumpInput, b *stackparse.Bucket) bool {
	return d.Format == stackparse.FormatDebug2 && len(b.Goroutines) > 0 && b.Class == stackparse.ClassRunning &&
		b.Goroutines[0].Flags&stackparse.FlagFirst != 0
}

// addWaits adds what the wait graph knows: whose relatives go on, and who waits for a lock that it holds itself, or
// that nobody holds. Where stacks are only counted, a call back into the code that has the lock is needed for that.
func addWaits(byBucket []*group, waits *waitgraph.Graph, counted bool) {
	of := func(bucket int) *group {
		if g := byBucket[bucket]; g != nil {
			return g
		}
		return &group{} // of no name
	}
	for i := range waits.Orphans {
		o := &waits.Orphans[i]
		g := of(o.Bucket)
		g.waiting, g.served = g.waiting+o.Count, g.served+o.Served
	}
	for i := range waits.Blockages {
		b := &waits.Blockages[i]
		if b.Kind != waitgraph.DoubleLock || b.Moves || b.Busy || b.Served || counted && b.Links[0].Callback == 0 {
			continue
		}
		for j := range b.Links {
			of(b.Links[j].Waiter.Bucket).owner = true
		}
	}
}

// candidates are the groups that may be suspects: those without a role, of more than their role usually has, in a role
// that says nothing of the call they wait in, or worth a look; beside them main, where it waits in a function that it
// called. Where all goroutines do what their roles say, in usual numbers, there are none.
func (s *view) candidates() (some []*group) {
	stray := false
	for _, g := range s.groups {
		odd := g.free() || g.n > g.role.Usual || g.role.Place && g.pkg != "main"
		main := !odd && g.role.Place && g.key.function != "main.main"
		if g.silent() || !odd && !main && g.points < suspect.Shown {
			continue
		}
		stray = stray || odd
		some = append(some, g)
	}
	if !stray {
		return nil
	}
	return some
}
