package crash

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/dumptest"
)

func TestFindCycle(t *testing.T) {
	long := func(n int) string {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("a.f%d", i))
		}
		return strings.Join(names, " ") + " "
	}
	for _, tt := range []struct {
		claim string
		stack string
		want  cycle
		found bool
	}{
		{"a function that calls itself", "a.f a.f a.f a.f … a.f main.main", cycle{0, 1}, true},
		{"three functions", strings.Repeat("a.f a.g a.h ", 10) + "… main.main", cycle{0, 3}, true},
		{"a cut last round", strings.Repeat("a.f a.g a.h ", 10) + "a.f a.g … main.main", cycle{0, 3}, true},
		{"the leaf is no part of it", "fmt.Sprint x.y " + strings.Repeat("a.f a.g ", 10) + "… main.main", cycle{2, 2},
			true},
		{"one function twice in a round", strings.Repeat("a.f a.g a.f a.h ", 8) + "… main.main", cycle{0, 4}, true},
		{"a repetition that stops is no cycle", "a.f a.f a.f a.g a.h a.i … main.main", cycle{}, false},
		{"25 functions still repeat in 50 frames", long(25) + long(25) + "… main.main", cycle{0, 25}, true},
		{"26 do not", long(26) + long(24) + "… main.main", cycle{}, false},
		{"a whole stack ends in its entry", strings.Repeat("a.f a.g ", 20) + "a.start main.main", cycle{0, 2}, true},
		{"two equal frames in a whole stack are no cycle", "a.f a.f a.g a.h main.main", cycle{}, false},
		{"no frames", "", cycle{}, false},
	} {
		got, found := findCycle(dumptest.StackOf(tt.stack))
		if found != tt.found || found && got != tt.want {
			t.Errorf("%s: %v %v, want %v %v", tt.claim, got, found, tt.want, tt.found)
		}
	}
}

func FuzzFindCycle(f *testing.F) {
	f.Add("aaaaaa.m")
	f.Add("abcabcabc.m")
	f.Add("xyababab.")
	f.Fuzz(func(t *testing.T, s string) {
		var names []string
		for _, r := range s {
			if r == '.' {
				names = append(names, "…")
			} else {
				names = append(names, fmt.Sprintf("a.%x", r))
			}
		}
		frames := dumptest.StackOf(strings.Join(names, " "))
		c, ok := findCycle(frames)
		if !ok {
			return
		}
		if c.period < 1 || c.start < 0 || c.start+2*c.period > len(frames) {
			t.Fatalf("cycle %v of %d frames", c, len(frames))
		}
		for i := c.start; i < c.start+c.period; i++ {
			if frames[i].Elided != 0 || frames[i].Func != frames[i+c.period].Func {
				t.Fatalf("frame %d does not repeat after %d: %q", i, c.period, s)
			}
		}
	})
}
