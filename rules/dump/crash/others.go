package crash

import (
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/stackparse"
)

// sameFunction are the goroutines whose stacks hold the culprit's function, without the crashed one.
func (c *crash) sameFunction() []wait.GoroutinesOf {
	fn := rules.PlainName(c.blame.Culprit.Function)
	if fn == "" {
		return nil
	}
	last := fn[strings.LastIndexByte(fn, '.')+1:] // of a million frames few pass this far cheaper test
	var found []wait.GoroutinesOf
	for _, b := range c.d.Buckets {
		for _, i := range rules.ShownFrames(b) {
			if f := &b.Frames[i]; strings.Contains(f.Func, last) && rules.PlainName(f.Func) == fn {
				found = appendOthers(found, c, b, nil)
				break
			}
		}
	}
	return found
}

// appendOthers appends those goroutines of b that are not the crashed one and satisfy keep (nil: all).
func appendOthers(to []wait.GoroutinesOf, c *crash, b *stackparse.Bucket,
	keep func(*stackparse.Goroutine) bool) []wait.GoroutinesOf {
	gs := rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool {
		return (c.g == nil || g.ID != c.g.ID) && (keep == nil || keep(g))
	})
	if len(gs) == 0 {
		return to
	}
	return append(to, wait.GoroutinesOf{Bucket: b, Goroutines: gs})
}

func countAll(all []wait.GoroutinesOf) int {
	n := 0
	for _, o := range all {
		n += len(o.Goroutines)
	}
	return n
}

// bucketEvidence lists groups of goroutines, at most maxCrashEvidence of them.
func bucketEvidence(d *rules.DumpInput, all []wait.GoroutinesOf) []rules.Evidence {
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
	a := findings().Tell("waits", account.Facts{Cases: []string{string(c.b.Class)}})
	f.Values["act"], f.Values["fix"] = a.Act, a.Fix
}

// blockedEvidence lists blocked buckets, at most maxCrashEvidence of them.
func blockedEvidence(d *rules.DumpInput, all []wait.Blocked) []rules.Evidence {
	groups := make([]wait.GoroutinesOf, 0, len(all))
	for _, b := range all {
		groups = append(groups, b.GoroutinesOf)
	}
	return bucketEvidence(d, groups)
}

// blameBlocked makes a blocked bucket's first goroutine the one that the crash is about.
func (c *crash) blameBlocked(b wait.Blocked) {
	c.b, c.g = b.Bucket, &b.Goroutines[0]
	c.blameFrom(0)
}
