package match

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestARoleWithoutAFunctionIsRefused(t *testing.T) {
	_, err := NewRoleSet([]RoleDef{{Name: "waiting", Doc: "waits",
		Match: []Match{{Class: []stackparse.Class{stackparse.ClassSelect}}}}})
	if err == nil || !strings.Contains(err.Error(), "a state alone says nothing") {
		t.Errorf("error %v", err)
	}
}

// A library's loop that has called the program back, and waits because the program asks the library, is no idle loop. A
// handler that reads its stream has the same frames: what started it is not in its role.
func TestALoopThatCalledBackHasNoRole(t *testing.T) {
	const (
		wait = "example.org/lib.(*Cache).Wait"
		own  = "example.com/app.(*cache).evicted"
		loop = "example.org/lib.(*Cache).run"
	)
	for name, c := range map[string]struct {
		creator []string
		stack   []string
		plays   bool
	}{
		"a loop":                      {[]string{"example.org/lib.*"}, []string{wait, loop}, true},
		"a loop below a Once":         {[]string{"example.org/lib.*"}, []string{wait, "sync.(*Once).Do", loop}, true},
		"a function that was started": {[]string{"example.org/lib.*"}, []string{wait, own}, true},
		"a loop that called back":     {[]string{"example.org/lib.*"}, []string{wait, own, loop}, false},
		"a handler below a loop":      {nil, []string{wait, own, loop}, true},
	} {
		set, err := NewRoleSet([]RoleDef{{Name: "loop", Doc: "runs a loop",
			Match: []Match{{At: []string{"example.org/lib.*"}, Creator: c.creator}}}})
		if err != nil {
			t.Fatal(err)
		}
		b := &stackparse.Bucket{Count: 1, Class: stackparse.ClassChanReceive, CreatedBy: &stackparse.Frame{
			Frame: frame.Frame{Func: "example.org/lib.New", File: "/src/lib/new.go", Line: 3}}}
		for i, fn := range c.stack {
			file := "/src/a.go"
			if strings.HasPrefix(fn, "sync.") {
				file = "/usr/local/go/src/sync/once.go"
			}
			b.Frames = append(b.Frames, stackparse.Frame{Frame: frame.Frame{Func: fn, File: file, Line: i}})
			b.Shown = append(b.Shown, i)
		}
		d := &stackparse.Dump{Buckets: []*stackparse.Bucket{b}}
		if got := NewAssigner(frame.Program{}, set).Assign(d)[0] != nil; got != c.plays {
			t.Errorf("%s: plays is %t, want %t", name, got, c.plays)
		}
	}
}
