package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// FuzzCandidates checks that no path of an input leaves the folder, and that a file outside of it is never shown.
func FuzzCandidates(f *testing.F) {
	for _, seed := range [][2]string{
		{"main.main", "../../etc/passwd.go"}, {"../../etc.F", "/etc/passwd.go"}, {"a/vendor/../../etc.F", "/w/vendor/../x.go"},
		{"k8s.io/klog/v2.(*T).Run", "/go/pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go"}, {"x.F", `C:\x\y@v1.0.0\z.go`},
		{"net/http.F", "/usr/local/go/src/net/http/server.go"}, {"x%2e%2e/y.F", "/a/../b.go"}, {"a.F", "@v1/x.go"},
		{"out/secret.F", "/w/out/secret.go"}, {"app/../out.F", "/w/secret.go"}, {"main.main", "out/secret.go"},
	} {
		f.Add(seed[0], seed[1])
	}
	dir := filepath.Join(f.TempDir(), "in")
	secret := filepath.Join(filepath.Dir(dir), "out")
	for _, d := range []string{dir, secret, filepath.Join(dir, "vendor")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			f.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		filepath.Join(secret, "secret.go"):          "package secret // outside\n",
		filepath.Join(dir, "go.mod"):                "module app\n",
		filepath.Join(dir, "vendor", "modules.txt"): "# k8s.io/klog/v2 v2.80.1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	_ = os.Symlink(secret, filepath.Join(dir, "out")) // without links there is one way less to try
	src, err := Open([]string{dir})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { src.Close() })
	f.Fuzz(func(t *testing.T, fn, file string) {
		p := rules.Place{Function: fn, File: file, Line: 1}
		s, reason := spotOf(p)
		if reason == "" {
			list := src.roots[0].candidates(s)
			if len(list) > 8*maxElements {
				t.Errorf("%d candidates", len(list))
			}
			for _, c := range list {
				if local, err := filepath.Localize(c.path); err == nil && !filepath.IsLocal(local) {
					t.Errorf("%q leaves the folder", c.path)
				}
			}
		}
		a := src.Show([]Ask{{Place: p}})[0]
		if a.Code != nil && strings.Contains(strings.Join(a.Code.Lines, "\n"), "outside") {
			t.Errorf("%s shows a file outside of the folder", a.Code.File)
		}
	})
}
