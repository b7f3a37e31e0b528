package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatternMatches(t *testing.T) {
	for _, tt := range []struct {
		claim, pattern, name string
		want                 bool
	}{
		{"the function itself", "crypto/rsa.GenerateKey", "crypto/rsa.GenerateKey", true},
		{"a method", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", true},
		{"a closure in it", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch.func1.2", true},
		{"a range function's body", "example.com/a.Walk", "example.com/a.Walk-range1", true},
		{"a method value", "example.com/a.(*T).Run", "example.com/a.(*T).Run-fm", true},
		{"a wrapper of a go statement", "example.com/a.Run", "example.com/a.Run.gowrap2", true},
		{"a wrapper of Go 1.17", "example.com/a.Run", "example.com/a.Run·dwrap·1", true},
		{"a vendored copy", "k8s.io/klog.Infof", "example.com/harbor/vendor/k8s.io/klog.Infof", true},
		{"the standard library's own copy", "golang.org/x/net/http2/hpack.*", "vendor/golang.org/x/net/http2/hpack.Encode", true},
		{"a later major version", "k8s.io/klog.Infof", "k8s.io/klog/v2.Infof", true},
		{"an escaped dot in the package", "gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml%2ev3.Unmarshal", true},
		{"a generic function", "crypto/ecdsa.generateFIPS", "crypto/ecdsa.generateFIPS[go.shape.*crypto/internal/fips140/nistec.P256Point]", true},
		{"a generic type, spelt out", "example.com/a.(*Queue).Get", "example.com/a.(*Queue[go.shape.struct { X example.com/b.T }]).Get", true},
		{"a generic type, shortened", "example.com/a.(*Queue).Get", "example.com/a.(*Queue[...]).Get", true},
		{"another function of the same beginning", "regexp.Compile", "regexp.CompilePOSIX", false},
		{"another package of the same ending", "example.com/a.Run", "example.org/example.com/a.Run", false},
		{"another receiver", "example.com/a.(*T).Run", "example.com/a.T.Run", false},
		{"all of a package", "log/slog.*", "log/slog.(*Logger).Info", true},
		{"no package below it", "log/slog.*", "log/slog/internal.F", false},
		{"a tree: the package", "go.uber.org/zap/**", "go.uber.org/zap.(*Logger).Info", true},
		{"a tree: below", "go.uber.org/zap/**", "go.uber.org/zap/zapcore.(*ioCore).Write", true},
		{"a tree: not a neighbour", "go.uber.org/zap/**", "go.uber.org/zapx.F", false},
		{"a method in any package", "**.(*T).DeepCopyInto", "k8s.io/api/core/v1.(*T).DeepCopyInto", true},
		{"any type's method in any package", "**.(*).DeepCopyInto", "k8s.io/api/core/v1.(*Pod).DeepCopyInto", false},
		{"any receiver in any package", "**.DeepCopyInto", "k8s.io/api/core/v1.(*Pod).DeepCopyInto", true},
		{"a fork", "**/remotedialer.(*Session).Serve", "github.com/other/remotedialer.(*Session).Serve", true},
		{"a fork without a path", "**/remotedialer.(*Session).Serve", "remotedialer.(*Session).Serve", true},
		{"no fork of another name", "**/remotedialer.(*Session).Serve", "github.com/other/myremotedialer.(*Session).Serve", false},
		{"a star for the receiver", "example.com/a.*.run", "example.com/a.(*T).run", true},
		{"a star ends at a slash", "example.com/*.Run", "example.com/a/b.Run", false},
		{"two stars in the middle", "k8s.io/**/cache.(*Reflector).Run", "k8s.io/client-go/tools/cache.(*Reflector).Run", true},
		{"assembly without a package", "memeqbody", "memeqbody", true},
		{"a panic", "panic", "panic", true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			s := NewSets()
			if _, err := s.Add(tt.pattern); err != nil {
				t.Fatal(err)
			}
			if got := len(s.find(tt.name, &globState{})) == 1; got != tt.want {
				t.Errorf("%q on %q: %v, want %v", tt.pattern, tt.name, got, tt.want)
			}
		})
	}
}

func TestPatternThatCanNotMatchIsAnError(t *testing.T) {
	for _, s := range []string{"", "*", "**", "**/", "a.F(0x1)", "a.F ()", strings.Repeat("a", 600)} {
		if _, err := NewSets().Add(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestSetsShareAPattern(t *testing.T) {
	s := NewSets()
	a, _ := s.Add("a.F", "a.G")
	b, _ := s.Add("a.*")
	c, _ := s.Add("b.F")
	m := s.Match(cpu("3 | a.F@a.go:1 < b.F@b.go:2\n4 | a.H@a.go:9").view(t))
	got := []int64{m.Weight(a).Samples, m.Weight(b).Samples, m.Weight(c).Samples, m.FlatWeight(c).Samples}
	if diff := cmp.Diff([]int64{3, 7, 3, 0}, got); diff != "" {
		t.Errorf("samples of the sets (-want +got):\n%s", diff)
	}
}

// selected writes a selection as "stack: inner-outer".
func selected(sel *Selection) string {
	var out []string
	for _, h := range sel.Hits {
		out = append(out, fmt.Sprintf("%d: %d-%d", h.Stack, h.Inner, h.Outer))
	}
	return strings.Join(out, ", ")
}

func TestSelectFindsFramesUnderAndOverOthers(t *testing.T) {
	v := cpu(`
		1 | leaf@x.go:1 < a.F@x.go:1 < a.F@x.go:2 < out@x.go:3 < main.main@x.go:4
		1 | a.F@x.go:1 < main.main@x.go:4
		1 | leaf@x.go:1 < out@x.go:3 < main.main@x.go:4
		1 | out@x.go:3 < a.F@x.go:1 < leaf@x.go:1 < main.main@x.go:4`).view(t)
	s := NewSets()
	f, _ := s.Add("a.F")
	out, _ := s.Add("out")
	leaf, _ := s.Add("leaf")
	m := s.Match(v)
	for _, tt := range []struct {
		claim string
		q     Query
		want  string
	}{
		{"anywhere", Query{Of: []SetID{f}}, "0: 1-2, 1: 0-0, 3: 1-1"},
		{"any of several", Query{Of: []SetID{f, leaf}}, "0: 0-2, 1: 0-0, 2: 0-0, 3: 1-2"},
		{"under another", Query{Of: []SetID{f}, Under: []SetID{out}}, "0: 1-2"},
		{"not under another", Query{Of: []SetID{f}, NotUnder: []SetID{out}}, "1: 0-0, 3: 1-1"},
		{"over another", Query{Of: []SetID{f}, Over: []SetID{leaf}}, "0: 1-2"},
		{"not over another", Query{Of: []SetID{f}, NotOver: []SetID{leaf}}, "1: 0-0, 3: 1-1"},
		{"the leaf itself", Query{Of: []SetID{f}, Near: 1}, "1: 0-0"},
		{"two from the leaf", Query{Of: []SetID{f}, Near: 2}, "0: 1-1, 1: 0-0, 3: 1-1"},
		{"a set of nothing", Query{Of: nil}, ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			if got := selected(m.Select(tt.q, nil)); got != tt.want {
				t.Errorf("selected %q, want %q", got, tt.want)
			}
		})
	}
}

func TestClaimedStacksAreNotSelectedAgain(t *testing.T) {
	v := cpu("1 | big.F@x.go:1 < key.Gen@x.go:2\n2 | big.F@x.go:1 < main.main@x.go:4").view(t)
	s := NewSets()
	key, _ := s.Add("key.*")
	numbers, _ := s.Add("big.*")
	m := s.Match(v)
	var claims Claims
	claims.Take(m.Select(Query{Of: []SetID{key}}, &claims))
	if got := selected(m.Select(Query{Of: []SetID{numbers}}, &claims)); got != "1: 0-0" {
		t.Errorf("selected %q", got)
	}
	if !claims.Taken(0) || claims.Taken(1) {
		t.Errorf("taken: %v, %v", claims.Taken(0), claims.Taken(1))
	}
}
