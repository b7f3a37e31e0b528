package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/gotriage/triage/profile"
)

// wholeProfileRule is a rule about profiles without a fault; tests change one line of it.
const wholeProfileRule = `rules:
  - id: ACME002
    name: thumbnail-per-request
    category: hot-cpu
    severity: high
    confidence: medium
    profile: cpu
    order: 0
    family: images
    explains: [TR555]
    cores: 0.2
    stacks:
      - frames: ["acme.example/images.(*Scaler).Thumbnail"]
        not_under: ["acme.example/images.Warmup"]
      - at: ["image/draw.*"]
        under: ["acme.example/images.**"]
        has: [image/draw.drawRGBA]
    shares: {low: 0.05, medium: 0.2, high: 0.5}
    finds: thumbnails
    title: "{culprit} spends {share}{cores} on thumbnails"
    why: "{function} at {file}:{line}, {own_share}, {amount}, from {entry}"
    fix: keep them
    false_positives: none known
    next: [dump]
`

func TestLoadReadsRulesAboutProfiles(t *testing.T) {
	f, err := Load("mine.yaml", []byte(wholeProfileRule))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rules) != 1 || f.Rules[0].Needs != NeedsCPU || f.Rules[0].claims == nil {
		t.Fatalf("%+v", f.Rules)
	}
	if err := Validate(append(All(), f.Rules...)); err != nil {
		t.Error(err)
	}
}

func TestLoadErrorsOfRulesAboutProfilesPointAtTheFault(t *testing.T) {
	for _, tt := range []struct {
		claim, old, new string
		line            int
		say             string
	}{
		{"a kind that isn't", "profile: cpu", "profile: gpu", 7, "the kinds are cpu, heap, allocs, mutex, block"},
		{"a match, which is for dumps", "    order: 0\n", "    match: [{leaked: true}]\n", 8, "match is for dumps"},
		{"a condition, which is for dumps", "    order: 0\n", "    when: count > 1\n", 8, "when is for dumps"},
		{"evidence besides", "    order: 0\n", "    needs: [dump]\n", 8, "needs its profile and nothing else"},
		{"an order below none", "order: 0", "order: -1", 8, "0 or more"},
		{"cores below none", "cores: 0.2", "cores: -1", 11, "0 or more"},
		{"a pattern without a function", `"acme.example/images.(*Scaler).Thumbnail"`, `"acme.example/images"`, 13, "names no function"},
		{"a stack that begins nowhere", `- at: ["image/draw.*"]`, `- not_under: ["image/draw.*"]`, 15, "say where the work begins"},
		{"shares above all", "low: 0.05", "low: 5", 18, "shares above 0 and up to 1"},
		{"shares the wrong way round", "medium: 0.2", "medium: 0.02", 18, "ascending"},
		{"no share at all", "shares: {low: 0.05, medium: 0.2, high: 0.5}", "shares: {}", 18, "low is required"},
		{"an amount of CPU", "    order: 0\n", "    at_least: 3\n", 8, "for heap, allocs, mutex and block"},
		{"a placeholder of dumps", "{culprit} spends", "{goroutines} spend", 20, "unknown placeholder {goroutines}"},
		{"a command that isn't", "next: [dump]", "next: [rm]", 24, `unknown command "rm"`},
		{"a field that isn't", "has: [", "hass: [", 17, `unknown field "hass"`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			text := strings.Replace(wholeProfileRule, tt.old, tt.new, 1)
			if text == wholeProfileRule {
				t.Fatal("the change does not change anything")
			}
			_, err := Load("mine.yaml", []byte(text))
			le, ok := errors.AsType[*LoadError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(le.Message, tt.say) || le.Line != tt.line {
				t.Errorf("line %d, want %d: %v", le.Line, tt.line, err)
			}
		})
	}
}

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

func TestSeverityFollowsShareCoresAndIdleness(t *testing.T) {
	const stack = "crypto/rsa.GenerateKey rsa.go:300 < example.com/shop/certs.Renew certs.go:4 < main.main main.go:3"
	const rest = "example.com/shop/work.Do work.go:9 < main.main main.go:3"
	for _, tt := range []struct {
		claim              string
		share, of, seconds string
		want               Severity // "" for no finding
	}{
		{"half of two cores is high", "1000", "1000", "10", High},
		{"half of half a core is medium: no half a core goes there", "250", "250", "10", Medium},
		{"a tenth is medium", "120", "880", "10", Medium},
		{"three in a hundred are low", "40", "960", "10", Low},
		{"one in a hundred is within chance of nothing", "12", "988", "10", ""},
		{"an idle process gives nothing above low", "200", "200", "100", Low},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := writtenProfile(t, "written", "# one\nkind cpu\nseconds "+tt.seconds+"\n"+tt.share+" "+stack+"\n"+tt.of+" "+rest+"\n").in
			got := Severity("")
			for _, f := range applyProfiles(All(), in) {
				if f.Rule == "TR501" {
					got = f.Severity
				}
			}
			if got != tt.want {
				t.Errorf("severity %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLongCulpritsAreShortenedInTitles(t *testing.T) {
	name := "example.com/shop/averylongpackagenamethatsaysalot.(*ReconcilerOfSomethingWithALongName).ensureCertificateFor"
	in := writtenProfile(t, "written", "# one\nkind cpu\nseconds 10\n900 crypto/rsa.GenerateKey rsa.go:300 < "+name+" x.go:4 < main.main main.go:3\n").in
	for _, f := range applyProfiles(All(), in) {
		if n := len([]rune(f.Title)); n > MaxTitle || !strings.Contains(f.Title, "ensureCertificateFor") || f.Rule == "TR501" && !strings.HasSuffix(f.Title, "generating keys") {
			t.Errorf("%d characters: %s", n, f.Title)
		}
	}
}
