package open

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest/origin"
)

func TestGlobsMatchNamesAndPaths(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.log", "a/b/c.log", true},
		{"*.log", "a/b/c.log.1", false},
		{"kube-system", "b.zip!/logs/kube-system/x/y.log", true},
		{"kube", "b.zip!/logs/kube-system/x/y.log", false},
		{"logs/*/y.log", "b.zip!/logs/x/y.log", true},
		{"logs/*/y.log", "b.zip!/logs/x/z/y.log", false},
		{"logs/**/y.log", "b.zip!/logs/x/z/y.log", true},
		{"logs/**/y.log", "b.zip!/logs/y.log", true},
		{"logs/**", "b.zip!/logs/x/y.log", true},
		{"logs/**", "b.zip!/logs", false},
		{"**/*.yaml", "a.yaml", true},
		{"nodes/n1.zip/**/kubelet.log", "b.zip!/x/nodes/n1.zip!/n1/logs/kubelet.log", true},
		{"b.zip", "b.zip!/anything", true},
		{"/abs/path", "/abs/path/x.log", true},
		{"[ab].log", "x/b.log", true},
		{"**", "x", true},
		{"a/**/b/**/c", "a/x/b/y/z/c", true},
		{"a/**/b/**/c", "a/x/y/z/c", false},
	} {
		if got := parseGlobs([]string{c.pattern})[0].matches(origin.Names(c.path)); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.path, got)
		}
	}
}

func TestMalformedGlobsAreRefused(t *testing.T) {
	for pattern, ok := range map[string]bool{"a/[": false, "": false, `a\`: false, "**/[a-b]*": true, "a/b": true} {
		if err := CheckGlob(pattern); (err == nil) != ok {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a/**/b*", "x/a/y/bc")
	f.Add(strings.Repeat("**/", 20)+"x", strings.Repeat("a/", 50))
	f.Add("*a*a*a*a*a*b", strings.Repeat("a", 60))
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 200 || len(path) > 2000 || CheckGlob(pattern) != nil {
			t.Skip()
		}
		c := Options{Only: []string{pattern}}.filter()
		if c.wants(path) && !c.mayHold(path) {
			t.Fatalf("%q wants %q, but would not open it", pattern, path)
		}
	})
}
