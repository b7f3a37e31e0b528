package goroutines

import (
	"cmp"
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
	groups    []*group // the largest first
	total     int      // goroutines of all groups
	oldest    uint32   // the longest wait of all
	computing int      // groups that compute
	// locks are the groups without a role that wait for locks, by the type whose method waits: the two largest.
	locks map[string][]*group
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
		DumpInput: of.dump, earlier: of.before, before: map[key]*group{}, locks: map[string][]*group{},
		inside: map[string]int{}, moving: map[string]int{}, active: map[string]*group{}, parents: map[string]bool{},
	}
	if of.before != nil {
		for _, g := range s.groupsOf(of.before) {
			s.before[g.key] = g
		}
	}
	s.groups = s.groupsOf(of.dump)
	slices.SortStableFunc(s.groups, func(a, b *group) int { return b.n - a.n })
	for _, g := range s.groups {
		s.count(g)
	}
	if i := slices.IndexFunc(s.groups, (*group).dominates); i >= 0 {
		s.crowd = s.groups[i]
	}
	for _, g := range s.groups {
		for i := range facts {
			g.points += facts[i].points * facts[i].of(g)
		}
	}
	return s
}

// count adds a group to what others are held against. Larger ones come first.
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
			s.active[c.pkg] = cmp.Or(s.active[c.pkg], g)
		}
	}
	if g.kind == lock && g.free() && len(g.calls) > 0 && g.calls[0].receiver != "" {
		if two := s.locks[g.calls[0].receiver]; len(two) < 2 {
			s.locks[g.calls[0].receiver] = append(two, g)
		}
	}
}

// groupsOf are the groups of a dump, in order of their largest buckets.
func (s *view) groupsOf(d *rules.DumpInput) (all []*group) {
	byKey, byBucket := map[key]*group{}, make([]*group, len(d.Buckets))
	for i, b := range d.Buckets {
		st := stacks.Of(d, b)
		if st.place.Function == "" || strings.HasPrefix(st.place.Function, "0x") { // stacks without names
			byBucket[i] = &group{}
			continue
		}
		role, kind := d.RoleOf(i), cmp.Or(kinds[b.Class], outside)
		k := key{rules.PlainName(st.place.Function), st.creator, string(kind)}
		if role != nil {
			k.kind = role.Name
		}
		g := byKey[k]
		if g == nil {
			g = &group{view: s, key: k, stack: st, role: role, kind: kind}
			byKey[k] = g
			all = append(all, g)
		}
		byBucket[i] = g
		g.buckets = append(g.buckets, b)
		g.n += b.Count
		g.minutes = max(g.minutes, b.MaxMinutes)
		// Who made the dump is listed first, and the call that makes it is not.
		g.dumps = g.dumps || d.Format == stackparse.FormatDebug2 && b.Class == stackparse.ClassRunning &&
			len(b.Goroutines) > 0 && b.Goroutines[0].Flags&stackparse.FlagFirst != 0
	}
	if waits := parsed.Waits(d); waits != nil {
		addWaits(byBucket, waits, d.Counted())
	}
	return all
}

// addWaits adds what the wait graph knows: whose relatives go on, and who waits for a lock that it holds itself, or
// that nobody holds. Where stacks are only counted, a call back into the code that has the lock is needed for that.
func addWaits(byBucket []*group, waits *waitgraph.Graph, counted bool) {
	for i := range waits.Orphans {
		o := &waits.Orphans[i]
		g := byBucket[o.Bucket]
		g.waiting, g.served = g.waiting+o.Count, g.served+o.Served
	}
	for i := range waits.Blockages {
		b := &waits.Blockages[i]
		if b.Kind != waitgraph.DoubleLock || b.Moves || b.Busy || b.Served || counted && b.Links[0].Callback == 0 {
			continue
		}
		for j := range b.Links {
			byBucket[b.Links[j].Waiter.Bucket].owner = true
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
