package rules

import (
	"strings"
	"testing"
)

func TestPatternMatches(t *testing.T) {
	for _, tt := range []struct {
		claim, pattern, name string
		want                 bool
	}{
		{"the function itself", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", true},
		{"a closure in it", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch.func1.2", true},
		{"a range function's body", "example.com/a.Walk", "example.com/a.Walk-range1", true},
		{"a method value", "example.com/a.(*T).Run", "example.com/a.(*T).Run-fm", true},
		{"a wrapper of a go statement", "example.com/a.Run", "example.com/a.Run.gowrap2", true},
		{"a wrapper of Go 1.17", "example.com/a.Run", "example.com/a.Run·dwrap·1", true},
		{"a vendored copy", "k8s.io/klog.(*loggingT).flushDaemon", "example.com/harbor/vendor/k8s.io/klog.(*loggingT).flushDaemon", true},
		{"a later major version", "k8s.io/klog.(*loggingT).flushDaemon", "k8s.io/klog/v2.(*loggingT).flushDaemon", true},
		{"a generic type", "example.com/a.(*Queue).Get", "example.com/a.(*Queue[...]).Get", true},
		{"type arguments spelt out", "example.com/a.(*Queue).Get", "example.com/a.(*Queue[go.shape.struct { X example.com/b.T }]).Get", true},
		{"an escaped dot in the package", "gopkg.in/natefinch/lumberjack.v2.(*Logger).millRun", "gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun", true},
		{"another function of the same beginning", "example.com/a.Run", "example.com/a.RunOnce", false},
		{"another package of the same ending", "example.com/a.Run", "example.org/example.com/a.Run", false},
		{"another receiver", "example.com/a.(*T).Run", "example.com/a.T.Run", false},
		{"all of a package", "os/signal.*", "os/signal.loop", true},
		{"no package below it", "os/signal.*", "os/signal/sub.loop", false},
		{"a tree: the package", "k8s.io/klog/**", "k8s.io/klog.Fatal", true},
		{"a tree: below", "k8s.io/klog/**", "k8s.io/klog/v2/internal/clock.Now", true},
		{"a tree: not a neighbour", "k8s.io/klog/**", "k8s.io/klogr.New", false},
		{"a fork", "**/remotedialer.(*Session).Serve", "github.com/other/remotedialer.(*Session).Serve", true},
		{"a fork without a path", "**/remotedialer.(*Session).Serve", "remotedialer.(*Session).Serve", true},
		{"no fork of another name", "**/remotedialer.(*Session).Serve", "github.com/other/myremotedialer.(*Session).Serve", false},
		{"a star within a name", "example.com/a.(*Informer*).run", "example.com/a.(*InformerV2).run", true},
		{"a star for the receiver", "example.com/a.*.run", "example.com/a.(*T).run", true},
		{"a star ends at a slash", "example.com/*.Run", "example.com/a/b.Run", false},
		{"a star for an element", "example.com/*.Run", "example.com/a.Run", true},
		{"two stars in the middle", "k8s.io/**/cache.(*Reflector).Run", "k8s.io/client-go/tools/cache.(*Reflector).Run", true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			m := newMatcher()
			if _, err := m.add(tt.pattern); err != nil {
				t.Fatal(err)
			}
			if got := len(m.find(tt.name)) == 1; got != tt.want {
				t.Errorf("%q on %q: %v, want %v", tt.pattern, tt.name, got, tt.want)
			}
		})
	}
}

func TestPatternThatCanNotMatchIsAnError(t *testing.T) {
	for _, s := range []string{"", "*", "**", "**/", "example.com/a", "a.F(0x1)", "a.F ()", strings.Repeat("a", 600)} {
		if _, err := parsePattern(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestMatcherSharesEqualPatterns(t *testing.T) {
	m := newMatcher()
	a, _ := m.add("k8s.io/klog/v2.Fatal")
	b, _ := m.add("k8s.io/klog.Fatal")
	if a != b {
		t.Errorf("two numbers %d, %d for one pattern", a, b)
	}
}

func FuzzMatcher(f *testing.F) {
	f.Add("**/a.(*T).F", "x/vendor/a.(*T[...]).F.func1")
	f.Add("k8s.io/klog/**", "k8s.io/klog/v2.init.0")
	f.Add("a*b**c.*", "a.b/c.d")
	f.Fuzz(func(t *testing.T, pat, name string) {
		m := newMatcher()
		if _, err := m.add(pat); err != nil {
			return
		}
		ids := m.find(name)
		if p := m.patterns[0]; !p.glob && len(ids) == 0 && name == p.text && normalise(name) == name && len(name) <= maxName {
			t.Errorf("%q does not match itself", name)
		}
		if len(ids) > 1 {
			t.Errorf("one pattern found %d times", len(ids))
		}
	})
}
