package crash

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

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
	a := g.tell(f)
	a.Evidence = others[:min(len(others), maxCrashEvidence)]
	return a
}

// otherSide is evidence of the goroutines that were on a CPU or ready to be, and are in a map operation or in one of
// the functions through which the caught goroutine came, as far as they belong to the culprit's package.
func (c *crash) otherSide() []rules.Evidence {
	fns := map[string]bool{}
	for _, p := range c.blame.Path {
		if frame.ParseName(p.Function).Package == c.blame.Culprit.Package {
			fns[rules.PlainName(p.Function)] = true
		}
	}
	running := func(g stackparse.Goroutine) bool { return stackparse.Runnable(stateText(c.d, &g)) }
	var found []rules.Evidence
	for _, b := range c.d.Buckets {
		if !slices.ContainsFunc(b.Goroutines, running) {
			continue
		}
		at := meets(b, fns)
		if at < 0 {
			continue
		}
		for _, o := range appendOthers(nil, c, b, func(g *stackparse.Goroutine) bool { return running(*g) }) {
			e := rules.EvidenceOfGoroutines(c.d, o.Goroutines, "")
			place := rules.PlaceOf(b.Frames[at].Frame)
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
