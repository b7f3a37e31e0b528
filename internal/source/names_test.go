package source

import (
	"slices"
	"testing"

	"github.com/gotriage/triage/rules"
)

// codeOf is what is said of a line of a file in module example.com/m, which calls callee in the build.
func codeOf(t *testing.T, code, fn, callee string, line int) *rules.Code {
	t.Helper()
	ask := at(fn, "/w/m.go", line)
	ask.Callee = callee
	a := show(t, ask, tree(t, map[string]string{"go.mod": "module example.com/m\n", "m.go": code}))
	if a.Code == nil {
		t.Fatalf("%s:%d: not found: %s", fn, line, a.Reason)
	}
	return a.Code
}

func TestACallIsConfirmedOnlyWhereItsPackageIsThatOfTheBuild(t *testing.T) {
	const code = `package m

import (
	"time"

	. "math/rand"
	"example.com/clock"
	yaml "example.com/other/yaml"
	"github.com/goccy/go-json"
	"github.com/nats-io/nats.go/v2"
)

func Run(fake clock.Fake, c clock.Clock) {
	time.Sleep(1)
	clock.Sleep(1)
	fake.Sleep(1)
	c.now().Sleep(1)
	Intn(1)
	yaml.Marshal(1)
	json.Marshal(1)
	nats.Connect("")
	step()
	c.Lock()
	clock.Map[int](1)
}

func Shadow(time clock.Clock) {
	time.Sleep(1)
}

func step() {}
`
	for _, tt := range []struct {
		fn, callee string
		line       int
		fits       string
	}{
		{"example.com/m.Run", "time.Sleep", 14, rules.FitsYes},
		{"example.com/m.Run", "time.Sleep", 15, rules.FitsUnknown},
		{"example.com/m.Run", "example.com/clock.Sleep", 15, rules.FitsYes},
		{"example.com/m.Run", "example.com/m/vendor/example.com/clock.Sleep", 15, rules.FitsYes},
		{"example.com/m.Run", "example.com/m/clock.Sleep", 15, rules.FitsUnknown},
		{"example.com/m.Run", "time.Sleep", 16, rules.FitsUnknown},
		{"example.com/m.Run", "time.Sleep", 17, rules.FitsUnknown},
		{"example.com/m.Run", "math/rand.Intn", 18, rules.FitsYes},
		{"example.com/m.Run", "example.com/m.Intn", 18, rules.FitsYes},
		{"example.com/m.Run", "example.com/n.Intn", 18, rules.FitsUnknown},
		{"example.com/m.Run", "example.com/other/yaml.Marshal", 19, rules.FitsYes},
		{"example.com/m.Run", "github.com/goccy/go-yaml.Marshal", 19, rules.FitsUnknown},
		{"example.com/m.Run", "github.com/goccy/go-json.Marshal", 20, rules.FitsYes},
		{"example.com/m.Run", "encoding/json.Marshal", 20, rules.FitsUnknown},
		{"example.com/m.Run", "github.com/nats-io/nats%2ego/v2.Connect", 21, rules.FitsYes},
		{"example.com/m.Run", "example.com/m.step", 22, rules.FitsYes},
		{"example.com/m.Run", "example.com/other.step", 22, rules.FitsUnknown},
		{"example.com/m.Run", "sync.(*Mutex).Lock", 23, rules.FitsYes}, // a value of any type
		{"example.com/m.Run", "example.com/clock.Map[...]", 24, rules.FitsYes},
		{"example.com/m.Shadow", "time.Sleep", 28, rules.FitsUnknown},
		{"example.com/m.Run", "time.Sleep", 22, rules.FitsNo},
		{"example.com/m.Shadow", "time.Sleep", 27, rules.FitsUnknown},
	} {
		if got := codeOf(t, code, tt.fn, tt.callee, tt.line); got.Fits != tt.fits {
			t.Errorf("%s in line %d: fits %q, want %q: %s", tt.callee, tt.line, got.Fits, tt.fits, got.Compared)
		}
	}
	const unsure = "line 15 is in Run and calls Sleep, perhaps another one; its version is unknown"
	if got := codeOf(t, code, "example.com/m.Run", "time.Sleep", 15).Compared; got != unsure {
		t.Errorf("%q, want %q", got, unsure)
	}
}

func TestALineOfAnotherLiteralIsNotConfirmed(t *testing.T) {
	const code = `package m

import "time"

func run() {
	time.Sleep(1)
	go func() {
		time.Sleep(2)
		go func() {
			time.Sleep(3)
		}()
		time.Sleep(4)
		func() {
			time.Sleep(5)
		}()
	}()
	go func() {
		time.Sleep(6)
	}()
}
`
	lines := map[string][]int{
		"example.com/m.run": {6}, "example.com/m.run.func1": {8, 12}, "example.com/m.run.func1.1": {10},
		"example.com/m.run.func1.2": {14}, "example.com/m.run.func2": {18}, "example.com/m.run.func3": nil,
		"example.com/m.outer.run.func2": {18}, "example.com/m.run.func2.gowrap1": {18}, "example.com/m.run-range1": {6},
	}
	for fn, want := range lines {
		for _, line := range []int{6, 8, 10, 12, 14, 18} {
			got := codeOf(t, code, fn, "time.Sleep", line)
			if (got.Fits == rules.FitsYes) != slices.Contains(want, line) {
				t.Errorf("%s, line %d: fits %q: %s", fn, line, got.Fits, got.Compared)
			}
		}
	}
}

func TestAClosuresNameShowsItsLiteral(t *testing.T) {
	for name, want := range map[string][]int{
		"": nil, "func1": {1}, "func2.1": {2, 1}, "func2.1.3": {2, 1, 3}, "New.func1": {1}, "(*U).N.func1": {1},
		"func1.New.func3.2": {3, 2}, "func1.gowrap2": {1}, "gowrap1": nil, "range1": nil, "func1-range1": {1}, "fm": nil,
		"func1.New": nil, "1": nil,
	} {
		if got := literalOf(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
