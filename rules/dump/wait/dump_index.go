package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A dumpIndex is one dump as these rules see it.
type dumpIndex struct {
	p    *rules.Pass
	d    *rules.DumpInput
	held held // shared by all rules
}

// holds reports whether a call's condition holds for a bucket.
func (s *dumpIndex) holds(name string, b *stackparse.Bucket) bool {
	return slices.Contains(s.held[name], b)
}

// buckets are those for which a call holds; callers change nothing in the list.
func (s *dumpIndex) buckets(name string) []*stackparse.Bucket { return slices.Clip(s.held[name]) }

// countIn counts the goroutines in those buckets.
func (s *dumpIndex) countIn(name string) int {
	n := 0
	for _, b := range s.buckets(name) {
		n += b.Count
	}
	return n
}

// caller is who is blamed for a bucket, and whether that is the code that asked for what it waits for, rather than a
// framework or a library.
func (s *dumpIndex) caller(b *stackparse.Bucket) (bl rules.Blame, own bool) {
	bl = rules.BlameCaller(s.d, b)
	code := s.d.CodeOf(b)
	return bl, bl.Index >= 0 && rules.Blameable(code.Class(bl.Index)) && !code.Framework(bl.Index) &&
		!code.Library(bl.Index)
}

// gather groups the buckets for which a call holds by who is to blame and who started them.
func (s *dumpIndex) gather(name string) []*waiters {
	var byKey map[string]*waiters
	var all []*waiters
	total := 0
	for _, b := range s.held[name] {
		bl, _ := s.caller(b)
		key := rules.Fingerprint(name, bl.Culprit, bl.Creator)
		w := byKey[key]
		if w == nil {
			w = &waiters{dumpIndex: s, blame: bl}
			if byKey == nil {
				byKey = map[string]*waiters{}
			}
			byKey[key] = w
			all = append(all, w)
		}
		w.add(b, b.Count)
		total += b.Count
	}
	for _, w := range all {
		w.total = total
	}
	return all
}

// dumpRun is the Run of a rule that looks at each dump that someone asked for.
func dumpRun(c *calls, look func(*dumpIndex) []rules.Finding) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, d := range p.AliveDumps() {
			if d.Goroutines > 0 {
				found = append(found, look(&dumpIndex{p: p, d: d, held: c.held.Of(d)})...)
			}
		}
		return found
	}
}

// A run looks for what a rule is about.
type run func(*rules.Pass) []rules.Finding

// joined looks for what each of some runs finds.
func joined(runs ...run) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, r := range runs {
			found = append(found, r(p)...)
		}
		return found
	}
}

// unless returns what look finds, without findings about packages for which known finds something in the same dump:
// only the rule that shows more reports the cause.
func unless(known, look run) run {
	return func(p *rules.Pass) []rules.Finding {
		found := look(p)
		if len(found) == 0 {
			return nil
		}
		type where struct{ input, pkg string }
		in := map[where]bool{}
		for _, f := range known(p) {
			in[where{f.Evidence[0].Input, f.Culprit.Package}] = true
		}
		return slices.DeleteFunc(found, func(f rules.Finding) bool {
			return in[where{f.Evidence[0].Input, f.Culprit.Package}]
		})
	}
}

// undoubted are what look finds without a doubt.
func undoubted(look run) run {
	return func(p *rules.Pass) []rules.Finding {
		return slices.DeleteFunc(look(p), func(f rules.Finding) bool { return f.Confidence == rules.ConfLow })
	}
}

// waitRule is a rule over dumps that show what goroutines wait for. Counted forms do, without ids, ages and addresses.
func waitRule(id, name string, category rules.Category, severity rules.Severity, run run) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: category, Severity: severity,
		Needs: rules.NeedsDump | rules.NeedsWaits, Run: run}
}

// dumpRule is a rule over dumps that report the states of goroutines.
func dumpRule(id, name string, category rules.Category, severity rules.Severity, run run) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: category, Severity: severity,
		Needs: rules.NeedsDump | rules.NeedsStates, Run: run}
}

// peerClasses are waits for another goroutine of the same process.
func peerClasses() []stackparse.Class {
	return []stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect,
		stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassWaitGroup,
		stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassNilChan, stackparse.ClassNoCases}
}

// oldest is the longest wait of a dump's goroutines: how old the process is at least, but for two minutes.
func oldest(d *rules.DumpInput) uint32 {
	var most uint32
	for _, b := range d.Buckets {
		most = max(most, b.MaxMinutes)
	}
	return most
}
