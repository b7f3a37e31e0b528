package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// AwaitsTest reports goroutines of package testing that only wait for a test, a subtest or a benchmark to end.
func AwaitsTest(b *stackparse.Bucket) bool {
	shown := ShownFrames(b)
	return len(shown) > 0 && strings.HasPrefix(b.Frames[shown[0]].Func, "testing.")
}

// InTest reports goroutines that run a test's own function.
func InTest(b *stackparse.Bucket) bool { return !AwaitsTest(b) && testFrame(b.Frames) >= 0 }

// testFrame is the index of the call of a test's function in a stack, leaf first; -1 for none.
func testFrame(frames []stackparse.Frame) int {
	return slices.IndexFunc(frames, func(f stackparse.Frame) bool {
		switch f.Func {
		case "testing.tRunner", "testing.(*B).runN", "testing.runExample", "testing.(*F).Fuzz.func1":
			return true
		}
		return false
	}) - 1
}

// maxParents bounds the goroutines between one and the test that led to it.
const maxParents = 64

// parents calls see with the stack of a goroutine and of those that led to it, nearest first, until that returns false.
// Go 1.21 and later print who started a goroutine; the way ends at one that has ended.
func parents(d *stackparse.Dump, id uint64, see func(*stackparse.Bucket) bool) {
	for range maxParents {
		var next uint64
		for _, b := range d.Buckets {
			i := slices.IndexFunc(b.Goroutines, func(g stackparse.Goroutine) bool { return g.ID == id })
			if i >= 0 {
				if !see(b) {
					return
				}
				next = b.Goroutines[i].Parent
			}
		}
		if id = next; id == 0 {
			return
		}
	}
}

// StartedByTests are the ids of the goroutines that tests have started, those that these have started, and so on.
func StartedByTests(d *stackparse.Dump) map[uint64]bool {
	parent, started := map[uint64]uint64{}, map[uint64]bool{}
	tests := map[uint64]bool{}
	for _, b := range d.Buckets {
		for _, g := range b.Goroutines {
			parent[g.ID] = g.Parent
			tests[g.ID] = InTest(b)
		}
	}
	for id := range parent {
		at := parent[id]
		for n := 0; n < maxParents && at != 0 && !tests[at]; n++ {
			at = parent[at]
		}
		started[id] = tests[at] && !tests[id]
	}
	return started
}

// RunningTests reads "10m0s" and the tests under way from "test timed out after 10m0s\n\trunning tests:\n\t\tTestX
// (9m59s)", as package testing panics.
func RunningTests(c *stackparse.Cause) (limit string, names []string) {
	if c == nil {
		return "", nil
	}
	text := c.Text
	if len(c.Panics) > 0 && c.Panics[0].Text != "" {
		text = c.Panics[0].Text
	}
	_, rest, ok := strings.Cut(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text), "timed out after ")
	if !ok {
		return "", nil
	}
	limit, rest, _ = strings.Cut(rest, "\n")
	_, list, _ := strings.Cut(rest, "running tests:")
	for l := range strings.Lines(list) {
		if name, _, _ := strings.Cut(strings.TrimSpace(l), " ("); name != "" {
			names = append(names, name)
		}
	}
	return phrase.Cut(limit, 20), names
}

// TestOf is the test that led to a goroutine of a dump: "TestMove/both_ways", "" where that isn't known.
//
// Stacks have the declared function alone; what go test prints around the dump has the whole name, but of parallel
// tests the last one that went on.
func TestOf(d *stackparse.Dump, goroutine uint64) string {
	_, names := RunningTests(d.Cause)
	if d.Test != "" && names == nil {
		names = []string{d.Test}
	}
	root := ""
	look := func(frames []stackparse.Frame, creator *stackparse.Frame) {
		if at := testFrame(frames); at >= 0 {
			root = declaredTest(frames[at].Func)
		}
		if root == "" && creator != nil {
			root = declaredTest(creator.Func)
		}
	}
	parents(d, goroutine, func(b *stackparse.Bucket) bool {
		look(b.Frames, b.CreatedBy)
		return root == ""
	})
	for i := 0; i < len(d.Races) && root == ""; i++ {
		look(d.Races[i].Frames, nil)
	}
	for _, n := range slices.Backward(names) {
		if declared, _, _ := strings.Cut(n, "/"); root == "" || declared == root {
			return n
		}
	}
	return root
}

// declaredTest is the declared test that a function is, or is written in: TestMove of a.TestMove.func1.
func declaredTest(function string) string {
	name := PlainName(function)
	parts := strings.Split(name[strings.LastIndexByte(name, '/')+1:], ".")
	for _, part := range parts[1:] {
		for _, kind := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
			if strings.HasPrefix(part, kind) {
				return part
			}
		}
	}
	return ""
}

// TestPattern is the argument of go test -run for a test's name: '^TestMove$/^both_ways$'.
func TestPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return Quote(strings.Join(parts, "/"))
}
