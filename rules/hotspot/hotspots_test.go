package hotspot

import (
	"testing"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

// hotspotsOf holds one condition against stacks as files of stacks have them, and returns which the rule takes, and
// where the work begins.
func hotspotsOf(t *testing.T, condition match.StackMatch, stacks ...string) map[int]int {
	t.Helper()
	if err := condition.Check(); err != nil {
		t.Fatal(err)
	}
	text := "# one\nkind cpu\nseconds 1\n"
	for _, s := range stacks {
		text += "10 " + s + "\n"
	}
	in := rulestest.WrittenProfile(t, "written", text).In
	board := NewBoard([]*rules.Rule{{ID: "X001", Hotspots: &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindCPU,
		Stacks: []match.StackMatch{condition}, Shares: Shares{Low: 0.01}}}}})
	got := map[int]int{}
	if hot := board.Hotspots(in).Of("X001"); hot != nil {
		for _, h := range hot.Hits {
			got[int(h.Stack)] = int(h.Outer)
		}
	}
	return got
}

func TestStackMatch(t *testing.T) {
	const own, dep, mainFn = "example.com/shop/a.Do", "github.com/x/y@v1.2.3", "main.main main.go:3"
	for _, tt := range []struct {
		claim string
		match match.StackMatch
		stack string
		entry int // where the work begins, -1 for a stack that isn't taken
	}{
		{"frames: the outermost of nested calls begins the work",
			match.StackMatch{Frames: []string{"fmt.Sprintf", "fmt.Sprint"}},
			"fmt.Sprint < " + own + " < fmt.Sprintf < " + own + " < " + mainFn, 2},
		{"frames: another function doesn't match", match.StackMatch{Frames: []string{"fmt.Sprintf"}}, "fmt.Sprint < " + own,
			-1},
		{"at: only the standard library lies above", match.StackMatch{At: []string{"reflect.*"}},
			"runtime.mallocgc < reflect.New < " + own + " < " + mainFn, 1},
		{"at: code that a library calls back is not at the library", match.StackMatch{At: []string{"reflect.*"}},
			own + " < reflect.Value.Call < " + mainFn, -1},
		{"at: a dependency's own frames don't end its run", match.StackMatch{At: []string{"github.com/x/**"}},
			"runtime.memmove < github.com/x/y.in " + dep + "/in.go:3 < github.com/x/y.Out " + dep + "/out.go:7 < " +
				own, 2},
		{"leaf: the function that was running", match.StackMatch{Leaf: []string{"sync/atomic.*"}},
			"sync/atomic.AddInt64 < " + own, 0},
		{"leaf: preemption aside", match.StackMatch{Leaf: []string{"sync/atomic.*"}},
			"runtime.asyncPreempt < sync/atomic.AddInt64 < " + own, 1},
		{"leaf: not what it calls", match.StackMatch{Leaf: []string{"sync/atomic.*"}},
			"runtime.memmove < sync/atomic.Store < " + own, -1},
		{"internals: in stacks that lost the program's code",
			match.StackMatch{Internals: []string{"crypto/internal/rsa.isPrime"}}, "crypto/internal/rsa.isPrime < " +
				"crypto/rsa.x", 0},
		{"internals: not where the program's code shows",
			match.StackMatch{Internals: []string{"crypto/internal/rsa.isPrime"}}, "crypto/internal/rsa.isPrime < " + own, -1},
		{"under: further out", match.StackMatch{Frames: []string{"regexp.compile"}, Under: []string{"regexp.MatchString"}},
			"regexp.compile < regexp.MatchString < " + own, 0},
		{"under: not further in", match.StackMatch{Frames: []string{"regexp.MatchString"}, Under: []string{"regexp.compile"}},
			"regexp.compile < regexp.MatchString < " + own, -1},
		{"not_under: none further out", match.StackMatch{Frames: []string{"crypto/rsa.GenerateKey"},
			NotUnder: []string{"crypto/tls.**"}}, "crypto/rsa.GenerateKey < crypto/tls.(*Conn).Handshake < " + own, -1},
		{"not_under: further in is no matter", match.StackMatch{Frames: []string{"crypto/tls.(*Conn).Handshake"},
			NotUnder: []string{"crypto/rsa.*"}}, "crypto/rsa.Sign < crypto/tls.(*Conn).Handshake < " + own, 1},
		{"has: further in", match.StackMatch{Frames: []string{"regexp.MatchString"}, Has: []string{"regexp.compile"}},
			"regexp.compile < regexp.MatchString < " + own, 1},
		{"has: missing", match.StackMatch{Frames: []string{"regexp.MatchString"}, Has: []string{"regexp.compile"}},
			"regexp.match < regexp.MatchString < " + own, -1},
		{"a symbol without a package", match.StackMatch{At: []string{"memeqbody"}}, "memeqbody < " + own, 0},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got, ok := hotspotsOf(t, tt.match, tt.stack)[0]
			if !ok {
				got = -1
			}
			if got != tt.entry {
				t.Errorf("the work begins at %d, want %d, in %s", got, tt.entry, tt.stack)
			}
		})
	}
}

func TestWaitsForALockAreFewWhereTheProcessIsOld(t *testing.T) {
	const unlock = "20000 sync.(*RWMutex).Unlock rwmutex.go:200 < example.com/shop/users.Set users.go:40"
	p := rulestest.WrittenProfile(t, "written", "# one\nkind mutex\n"+unlock+"\n").In.Profile
	p.Stacks[0].Samples = 100 // of 0.2 s each
	m := &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindMutex, Shares: Shares{Low: 0.25, Medium: 0.5},
		Stacks: []match.StackMatch{{Frames: []string{"sync.(*RWMutex).Unlock"}}}}}
	board := NewBoard([]*rules.Rule{{ID: m.ID, Hotspots: m}})
	for age, want := range map[time.Duration]rules.Severity{
		0: rules.Medium, 3 * time.Minute: rules.Medium, 30 * time.Minute: rules.Low,
	} {
		in := rulestest.ProfileInput(p, "written")
		in.Age = age
		if got := board.Hotspots(in).Of(m.ID).severity(in, rules.High); got != want {
			t.Errorf("%s after %s, want %s", got, age, want)
		}
	}
}

func TestWhatAnOldProcessHasAllocatedIsWeighedAgainstItsAge(t *testing.T) {
	p := rulestest.WrittenProfile(t, "written", "# one\nkind allocs\n900 example.com/shop/users.Set users.go:40\n").In.Profile
	p.Stacks[0].Samples = 900
	m := &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindAllocs, AtLeast: 256, Shares: Shares{Low: 0.25},
		Stacks: []match.StackMatch{{Frames: []string{"example.com/shop/users.Set"}}}}}
	board := NewBoard([]*rules.Rule{{ID: m.ID, Hotspots: m}})
	for age, want := range map[time.Duration]bool{0: true, 10 * time.Minute: true, 30 * time.Minute: false} {
		in := rulestest.ProfileInput(p, "written")
		in.Age = age
		if got := board.Hotspots(in).Of(m.ID).fires(); got != want {
			t.Errorf("%v after %s, want %v", got, age, want)
		}
	}
}
