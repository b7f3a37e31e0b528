package rules

import (
	"testing"

	"github.com/gotriage/triage/profile"
)

// claimsOf holds one condition against stacks as files of stacks have them, and returns which are claimed, and where the
// work begins.
func claimsOf(t *testing.T, match StackMatch, stacks ...string) map[int]int {
	t.Helper()
	if err := match.check(); err != nil {
		t.Fatal(err)
	}
	text := "# one\nkind cpu\nseconds 1\n"
	for _, s := range stacks {
		text += "10 " + s + "\n"
	}
	in := writtenProfile(t, "written", text).in
	board := NewBoard([]*Rule{{ID: "X001", claims: &claimant{id: "X001", kinds: []profile.Kind{profile.KindCPU}, stacks: []StackMatch{match}, shares: Shares{Low: 0.01}}}})
	got := map[int]int{}
	if cl := board.Claims(in).Of("X001"); cl != nil {
		for _, h := range cl.hits {
			got[int(h.Stack)] = int(h.Outer)
		}
	}
	return got
}

func TestStackMatch(t *testing.T) {
	const own, dep, mainFn = "example.com/shop/a.Do", "github.com/x/y@v1.2.3", "main.main main.go:3"
	for _, tt := range []struct {
		claim string
		match StackMatch
		stack string
		entry int // where the work begins, -1 for a stack that isn't claimed
	}{
		{"frames: the outermost of nested calls begins the work", StackMatch{Frames: []string{"fmt.Sprintf", "fmt.Sprint"}},
			"fmt.Sprint < " + own + " < fmt.Sprintf < " + own + " < " + mainFn, 2},
		{"frames: another function doesn't match", StackMatch{Frames: []string{"fmt.Sprintf"}}, "fmt.Sprint < " + own, -1},
		{"at: only the standard library lies above", StackMatch{At: []string{"reflect.*"}}, "runtime.mallocgc < reflect.New < " + own + " < " + mainFn, 1},
		{"at: code that a library calls back is not at the library", StackMatch{At: []string{"reflect.*"}}, own + " < reflect.Value.Call < " + mainFn, -1},
		{"at: a dependency's own frames don't end its run", StackMatch{At: []string{"github.com/x/**"}},
			"runtime.memmove < github.com/x/y.in " + dep + "/in.go:3 < github.com/x/y.Out " + dep + "/out.go:7 < " + own, 2},
		{"leaf: the function that was running", StackMatch{Leaf: []string{"sync/atomic.*"}}, "sync/atomic.AddInt64 < " + own, 0},
		{"leaf: preemption aside", StackMatch{Leaf: []string{"sync/atomic.*"}}, "runtime.asyncPreempt < sync/atomic.AddInt64 < " + own, 1},
		{"leaf: not what it calls", StackMatch{Leaf: []string{"sync/atomic.*"}}, "runtime.memmove < sync/atomic.Store < " + own, -1},
		{"internals: in stacks that lost the program's code", StackMatch{Internals: []string{"crypto/internal/rsa.isPrime"}}, "crypto/internal/rsa.isPrime < crypto/rsa.x", 0},
		{"internals: not where the program's code shows", StackMatch{Internals: []string{"crypto/internal/rsa.isPrime"}}, "crypto/internal/rsa.isPrime < " + own, -1},
		{"under: further out", StackMatch{Frames: []string{"regexp.compile"}, Under: []string{"regexp.MatchString"}}, "regexp.compile < regexp.MatchString < " + own, 0},
		{"under: not further in", StackMatch{Frames: []string{"regexp.MatchString"}, Under: []string{"regexp.compile"}}, "regexp.compile < regexp.MatchString < " + own, -1},
		{"not_under: none further out", StackMatch{Frames: []string{"crypto/rsa.GenerateKey"}, NotUnder: []string{"crypto/tls.**"}}, "crypto/rsa.GenerateKey < crypto/tls.(*Conn).Handshake < " + own, -1},
		{"not_under: further in is no matter", StackMatch{Frames: []string{"crypto/tls.(*Conn).Handshake"}, NotUnder: []string{"crypto/rsa.*"}}, "crypto/rsa.Sign < crypto/tls.(*Conn).Handshake < " + own, 1},
		{"has: further in", StackMatch{Frames: []string{"regexp.MatchString"}, Has: []string{"regexp.compile"}}, "regexp.compile < regexp.MatchString < " + own, 1},
		{"has: missing", StackMatch{Frames: []string{"regexp.MatchString"}, Has: []string{"regexp.compile"}}, "regexp.match < regexp.MatchString < " + own, -1},
		{"a symbol without a package", StackMatch{At: []string{"memeqbody"}}, "memeqbody < " + own, 0},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got, ok := claimsOf(t, tt.match, tt.stack)[0]
			if !ok {
				got = -1
			}
			if got != tt.entry {
				t.Errorf("the work begins at %d, want %d, in %s", got, tt.entry, tt.stack)
			}
		})
	}
}
