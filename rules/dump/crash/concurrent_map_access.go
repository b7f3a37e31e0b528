package crash

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// explainMap is concurrent-map-access (TR302).
func explainMap(g *crashGroup) account {
	act := "writes a map concurrently"
	switch {
	case strings.Contains(g.text, "iteration"):
		act = "iterates over a map while it is written"
	case strings.Contains(g.text, "clone"):
		act = "clones a map while it is written"
	case strings.Contains(g.text, "read"):
		act = "uses a map while it is written"
	}
	a := account{
		act: act,
		why: g.fill("{who}{at} was caught in a map while another goroutine wrote to it: {text}."),
		fix: g.fill("Find the map that {line} uses and guard every access to it with one sync.Mutex or RWMutex; use " +
			"sync.Map, or build a new map and swap it in with atomic.Pointer, where reads dominate."),
		next: g.logSteps(rules.Command("go test -race ./..."),
			rules.Command("go build -race").Note("run one replica of it")),
	}
	if others := g.otherSide(); len(others) > 0 {
		n := 0
		for _, e := range others {
			n += e.Count
		}
		a.why += otherText(n)
		a.evidence = others[:min(len(others), maxCrashEvidence)]
	}
	return a
}

func otherText(n int) string {
	if n == 1 {
		return " Another goroutine ran in the same functions or in a map and may be the other side."
	}
	return fmt.Sprintf(" %d other goroutines ran in the same functions or in a map: the other side may be among them.",
		n)
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
