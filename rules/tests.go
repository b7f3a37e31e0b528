package rules

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

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

// testFrame is the index of the call of a test's function in a stack, leaf first; below 0 for none.
func testFrame(frames []stackparse.Frame) int {
	callers := []string{"testing.tRunner", "testing.(*B).runN", "testing.runExample", "testing.(*F).Fuzz.func1"}
	return slices.IndexFunc(frames, func(f stackparse.Frame) bool { return slices.Contains(callers, f.Func) }) - 1
}

// maxParents bounds the goroutines between one and the test that led to it, maxStarts those that are looked at.
const maxParents, maxStarts = 64, 1 << 16

// A start is a goroutine's stack, and the goroutine that started it: Go 1.21 and later print that.
type start struct {
	stack  *stackparse.Bucket
	test   bool // it runs a test's own function
	parent uint64
}

type starts map[uint64]start

func startsOf(d *stackparse.Dump) starts {
	all := starts{}
	for _, b := range d.Buckets {
		test := InTest(b)
		for _, g := range b.Goroutines[:min(len(b.Goroutines), maxStarts-len(all))] {
			all[g.ID] = start{b, test, g.Parent}
		}
	}
	return all
}

// upFrom are a goroutine and those that led to it, nearest first, up to one that has ended.
func (s starts) upFrom(id uint64) iter.Seq[start] {
	return func(yield func(start) bool) {
		for n := 0; n < maxParents && s[id].stack != nil && yield(s[id]); n++ {
			id = s[id].parent
		}
	}
}

// StartedByTests are the ids of the goroutines that tests have started, those that these have started, and so on.
func StartedByTests(d *stackparse.Dump) map[uint64]bool {
	all, started := startsOf(d), map[uint64]bool{}
	for id, s := range all {
		for by := range all.upFrom(s.parent) {
			started[id] = started[id] || by.test && !s.test
		}
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
	look := func(frames []stackparse.Frame) {
		if at := testFrame(frames); at >= 0 && root == "" {
			root = declaredTest(frames[at].Func)
		}
	}
	for s := range startsOf(d).upFrom(goroutine) {
		if look(s.stack.Frames); root == "" && s.stack.CreatedBy != nil {
			root = declaredTest(s.stack.CreatedBy.Func)
		}
	}
	for _, r := range d.Races {
		look(r.Frames)
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
	if m := testName().FindStringSubmatch(name[strings.LastIndexByte(name, '/')+1:]); m != nil {
		return m[1]
	}
	return ""
}

var testName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.((?:Test|Benchmark|Fuzz|Example)[^.]*)`)
})

// TestPattern is the argument of go test -run for a test's name: '^TestMove$/^both_ways$'.
func TestPattern(name string) string {
	return Quote("^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$")
}
