package symbol

import (
	"slices"
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
		{"the standard library's own copy", "golang.org/x/net/http2/hpack.*", "vendor/golang.org/x/net/http2/hpack.Encode", true},
		{"a generic function", "crypto/ecdsa.generateFIPS", "crypto/ecdsa.generateFIPS[go.shape.*crypto/internal/fips140/nistec.P256Point]", true},
		{"a method in any package", "**.(*T).DeepCopyInto", "k8s.io/api/core/v1.(*T).DeepCopyInto", true},
		{"any type's method in any package", "**.(*).DeepCopyInto", "k8s.io/api/core/v1.(*Pod).DeepCopyInto", false},
		{"any receiver in any package", "**.DeepCopyInto", "k8s.io/api/core/v1.(*Pod).DeepCopyInto", true},
		{"assembly without a package", "memeqbody", "memeqbody", true},
		{"a panic", "panic", "panic", true},
		{"a tree of a package whose name has a dot", "gopkg.in/yaml/**", "gopkg.in/yaml.v3/internal.F", true},
		{"a tree in a tree", "k8s.io/**", "k8s.io/client-go/tools/cache.New", true},
		{"a tree with a star in its path", "k8s.io/*/tools/**", "k8s.io/client-go/tools/cache.New", true},
		{"a star that a slash ends in a type argument's place", "a.F*", "a.Fx/b", false},
		{"a star at the end, closed by a dot before the slash", "a.F*", "a.Fx.func1", true},
		{"a pattern that is no name", "example.com/a.*", "example.com/a.*", true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			p := NewPatterns(0)
			if _, err := p.Add(tt.pattern); err != nil {
				t.Fatal(err)
			}
			if got := len(p.Finder().Append(nil, tt.name)) == 1; got != tt.want {
				t.Errorf("%q on %q: %v, want %v", tt.pattern, tt.name, got, tt.want)
			}
		})
	}
}

func TestPatternThatCanNotMatchIsAnError(t *testing.T) {
	for _, s := range []string{"", "*", "**", "**/", "example.com/a", "a.F(0x1)", "a.F ()", strings.Repeat("a", 600)} {
		if CheckPattern(s) == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestPatternsShareEqualOnes(t *testing.T) {
	p := NewPatterns(0)
	a, _ := p.Add("k8s.io/klog/v2.Fatal")
	b, _ := p.Add("k8s.io/klog.Fatal")
	if a != b || p.Len() != 1 {
		t.Errorf("two numbers %d, %d for one pattern", a, b)
	}
}

func TestPatternsOfOnePackageAreAllFound(t *testing.T) {
	p := NewPatterns(0)
	for _, s := range []string{"k8s.io/klog.*", "k8s.io/**", "k8s.io/klog.Fatal", "k8s.io/klog/**", "**.Fatal", "k8s.io/klog.Info*"} {
		if _, err := p.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	ids := p.Finder().Append(nil, "x/vendor/k8s.io/klog/v2.Fatal.func1")
	slices.Sort(ids)
	if want := []int32{0, 1, 2, 3, 4}; !slices.Equal(ids, want) {
		t.Errorf("found %v, want %v", ids, want)
	}
}

func TestAPatternTellsItsPackage(t *testing.T) {
	p := NewPatterns(0)
	for text, want := range map[string]string{
		"k8s.io/klog/v2.Fatal": "k8s.io/klog", "crypto/tls.(*Conn).*": "crypto/tls", "k8s.io/klog/**": "", "**.Fatal": "", "k8s.io/*/a.F": "",
	} {
		id, err := p.Add(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Package(id); got != want {
			t.Errorf("%q: package %q, want %q", text, got, want)
		}
	}
}

// naive is what a glob's language means, one way after the other.
func naive(glob, name string, ok func(string) bool) bool {
	for {
		if glob == "" {
			return ok(name)
		}
		if n := star(glob, 0); n > 0 {
			for i := 0; ; i++ {
				if naive(glob[n:], name[i:], ok) {
					return true
				}
				if i == len(name) || n == 1 && name[i] == '/' {
					return false
				}
			}
		}
		if name == "" || name[0] != glob[0] {
			return false
		}
		if glob[0] == '(' && len(glob) > 1 && glob[1] == '*' {
			if len(name) < 2 || name[1] != '*' {
				return false
			}
			glob, name = glob[1:], name[1:]
		}
		glob, name = glob[1:], name[1:]
	}
}

func pairs(s string) uint64 {
	var set uint64
	for i := 1; i < len(s); i++ {
		set |= pair(s[i-1], s[i])
	}
	return set
}

func FuzzPatterns(f *testing.F) {
	f.Add("**/a.(*T).F", "x/vendor/a.(*T[...]).F.func1")
	f.Add("k8s.io/klog/**", "k8s.io/klog/v2.init.0")
	f.Add("a*b**c.*", "a.b/c.d")
	f.Add("a.(*T).*", "a.(*T).F·dwrap·1")
	f.Fuzz(func(t *testing.T, text, name string) {
		p := NewPatterns(0)
		if _, err := p.Add(text); err != nil || len(name) > 64 || strings.Count(text, "*") > 4 {
			return
		}
		ids := p.Finder().Append(nil, name)
		if len(ids) > 1 {
			t.Errorf("one pattern found %d times", len(ids))
		}
		pt := &p.list[0]
		if !pt.glob {
			if len(ids) == 0 && PlainName(name) == pt.text {
				t.Errorf("%q does not match itself", name)
			}
			return
		}
		// The short cuts of a glob lose nothing.
		name = PlainName(name)
		if got, want := pt.need&^pairs(name) == 0 && pt.matches(name), slow(pt.text, name); got != want {
			t.Errorf("%q on %q: %v, want %v", pt.text, name, got, want)
		}
	})
}

func slow(glob, name string) bool {
	if rest, ok := strings.CutSuffix(glob, "/**"); ok {
		return naive(rest, name, inTree)
	}
	if rest, ok := strings.CutPrefix(glob, "**/"); ok && naive(rest, name, closes) {
		return true
	}
	return naive(glob, name, closes)
}
