package crash

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// explainChannel is closed-channel (TR208).
func explainChannel(g *crashGroup, f account.Facts) account.Account {
	if phrase.ContainsOne(g.text, "close of nil", "close of closed") {
		return g.account(f)
	}
	others, closers := g.sameFunction(), g.closers()
	if len(closers) > 0 {
		f.Cases = append(f.Cases, "closers")
		f.Values["closer"] = rules.PlaceName(closers[0].Place())
	}
	a := g.account(f)
	a.Evidence = append(blockedEvidence(g.d, others), blockedEvidence(g.d, closers)...)
	return a
}

// closers are the goroutines in a method of the culprit's type that is called like one which closes channels.
func (c *crash) closers() []blocked {
	culprit := symbol.ParseName(symbol.StripVendor(c.blame.Culprit.Function))
	if culprit.Receiver == "" {
		return nil
	}
	return blockedIn(c.d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		for _, i := range rules.ShownFrames(b) {
			if !strings.Contains(b.Frames[i].Func, culprit.Receiver) {
				continue
			}
			n := symbol.ParseName(symbol.StripVendor(b.Frames[i].Func))
			if n.Package == culprit.Package && n.Receiver == culprit.Receiver && n.Func != culprit.Func &&
				endsThings(n.Func) {
				return true
			}
		}
		return false
	})
}

func endsThings(method string) bool {
	return phrase.ContainsOne(strings.ToLower(method), "close", "stop", "shutdown", "drain", "finish", "terminate",
		"dispose")
}

// explainMap is concurrent-map-access (TR302).
func explainMap(g *crashGroup, f account.Facts) account.Account {
	others, n := g.otherSide(), 0
	for _, e := range others {
		n += e.Count
	}
	f.Values["others"] = strconv.Itoa(n)
	switch {
	case n == 1:
		f.Cases = append(f.Cases, "one other")
	case len(others) > 0:
		f.Cases = append(f.Cases, "other side")
	}
	a := g.account(f)
	a.Evidence = others[:min(len(others), maxCrashEvidence)]
	return a
}

// otherSide is evidence of the goroutines that were on a CPU or ready to be, and are in a map operation or in one of
// the functions through which the caught goroutine came, as far as they belong to the culprit's package.
func (c *crash) otherSide() []rules.Evidence {
	fns := map[string]bool{}
	for _, p := range c.blame.Path {
		if symbol.ParseName(p.Function).Package == c.blame.Culprit.Package {
			fns[rules.PlainName(p.Function)] = true
		}
	}
	running := func(g *stackparse.Goroutine) bool {
		return c.isOther(g) && stackparse.Runnable(stateText(c.d, g))
	}
	var found []rules.Evidence
	for _, b := range c.d.Buckets {
		gs := rules.GoroutinesWhere(b, running)
		at := -1
		if len(gs) > 0 {
			at = meets(b, fns)
		}
		if at >= 0 {
			place := rules.PlaceOf(b.Frames[at].Frame)
			e := rules.EvidenceOfGoroutines(c.d, gs, "")
			e.Text += " under " + rules.PlaceName(place) + " at " + rules.PlaceLine(place)
			found = append(found, e)
		}
	}
	return found
}

// meets returns the index of b's frame that makes it a candidate for the other side: a map operation at the leaf or
// one of fns; -1 where it has none.
func meets(b *stackparse.Bucket, fns map[string]bool) int {
	for i := range b.Frames {
		f := &b.Frames[i]
		if i < 3 && mapOperation(f.Func) || fns[rules.PlainName(f.Func)] {
			return i
		}
	}
	return -1
}

// mapOperation knows the runtime's map code: runtime.mapassign_faststr, runtime.mapaccess2, runtime.mapiternext (to
// Go 1.23), internal/runtime/maps and runtime.mapIterNext (since 1.24).
func mapOperation(fn string) bool {
	return strings.HasPrefix(fn, "runtime.map") || strings.HasPrefix(fn, "internal/runtime/maps.")
}

// sameFunction are the goroutines whose stacks hold the culprit's function, without the crashed one.
func (c *crash) sameFunction() []blocked {
	fn := rules.PlainName(c.blame.Culprit.Function)
	if fn == "" {
		return nil
	}
	last := fn[strings.LastIndexByte(fn, '.')+1:] // of a million frames few pass this far cheaper test
	var found []blocked
	for _, b := range c.d.Buckets {
		if !slices.ContainsFunc(rules.ShownFrames(b), func(i int) bool {
			f := &b.Frames[i]
			return strings.Contains(f.Func, last) && rules.PlainName(f.Func) == fn
		}) {
			continue
		}
		if gs := rules.GoroutinesWhere(b, c.isOther); len(gs) > 0 {
			found = append(found, blocked{Bucket: b, Goroutines: gs})
		}
	}
	return found
}

// isOther reports whether g is not the goroutine that crashed.
func (c *crash) isOther(g *stackparse.Goroutine) bool { return c.g == nil || g.ID != c.g.ID }

func countAll(all []blocked) int {
	n := 0
	for _, o := range all {
		n += len(o.Goroutines)
	}
	return n
}

// blockedEvidence lists groups of goroutines, at most maxCrashEvidence of them.
func blockedEvidence(d *rules.DumpInput, all []blocked) []rules.Evidence {
	var list []rules.Evidence
	for _, o := range all[:min(len(all), maxCrashEvidence)] {
		e := rules.EvidenceOfGoroutines(d, o.Goroutines, "")
		if p := rules.BlameBucket(d, o.Bucket).Culprit; p.Function != "" {
			e.Text += " in " + rules.PlaceName(p) + atLine(p)
		}
		list = append(list, e)
	}
	return list
}

// atLine is " at engine.go:70" where the line is known.
func atLine(p rules.Place) string {
	if at := rules.PlaceLine(p); at != "" {
		return " at " + at
	}
	return ""
}

// waits adds what the crash's goroutine waits for: who does {act}, and the {fix}.
func (c *crash) waits(f *account.Facts) {
	a := findings().Account("waits", account.Facts{Cases: []string{string(c.b.Class)}})
	f.Values["act"], f.Values["fix"] = a.Act, a.Fix
}

// blameBlocked makes the first goroutine of all, if there are any, the one that the crash is about.
func (c *crash) blameBlocked(all []blocked) {
	if len(all) > 0 {
		c.b, c.g, c.twins = all[0].Bucket, &all[0].Goroutines[0], all[0].Goroutines[1:]
		c.blameFrom(0)
	}
}
