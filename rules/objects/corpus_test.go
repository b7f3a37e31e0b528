package objects

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// corpusCluster reads the objects of a bundle, or of the files that a pattern names.
func corpusCluster(t *testing.T, pattern string) *kube.Cluster {
	t.Helper()
	root := os.Getenv("TRIAGE_CORPUS")
	if root == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real bundles to read")
	}
	names, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(names) == 0 {
		t.Skipf("%s is not in the corpus", pattern)
	}
	w := &bundleWalk{t: t, store: kube.NewStore(0)}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w.file(filepath.Base(name), data)
	}
	return kube.Merge(w.all)
}

// A bundleWalk reads what lies in archives.
type bundleWalk struct {
	t     *testing.T
	store *kube.Store
	all   []*kube.Objects
}

func (w *bundleWalk) file(name string, data []byte) {
	ext := path.Ext(name)
	switch {
	case strings.HasSuffix(name, ".tar.gz"):
		r, err := gzip.NewReader(bytes.NewReader(data))
		w.tar(r, err)
		return
	case strings.HasSuffix(name, ".tar.xz"):
		r, err := xz.NewReader(bytes.NewReader(data))
		w.tar(r, err)
		return
	case ext == ".zip":
		w.zip(data)
		return
	}
	r := kube.NewReader(w.store)
	switch {
	case kube.WantsLines(name):
		num := int64(0)
		for line := range bytes.Lines(data) {
			num++
			r.Note(name, bytes.TrimRight(line, "\n"), num)
		}
	case ext == ".yaml" || ext == ".json":
		if err := r.Read(name, bytes.NewReader(data)); err != nil {
			w.t.Log(err)
		}
	default:
		return
	}
	w.all = append(w.all, r.Close())
}

func (w *bundleWalk) tar(r io.Reader, err error) {
	if err != nil {
		w.t.Fatal(err)
	}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			w.t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			w.t.Fatal(err)
		}
		w.file(h.Name, data)
	}
}

func (w *bundleWalk) zip(data []byte) {
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range zr.File {
		if f.FileInfo().IsDir() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			w.t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			w.t.Fatal(err)
		}
		w.file(f.Name, body)
	}
}

// TestHealthyBundlesRaiseNoAlarm: these clusters do what they should.
func TestHealthyBundlesRaiseNoAlarm(t *testing.T) {
	for _, pattern := range []string{
		"bundles/must-gather-metal.tar.xz", "bundles/supportbundle_*.zip",
		"bundles/troubleshoot/*support-bundle.tar.gz",
		"bundles/troubleshoot/*supportbundle_baseline.tar.gz", "bundles/troubleshoot/*preflight*.tar.gz",
		"bundles/insights/*.tar.gz",
		"bundles/audit/snapshots/kudo-gcwins-*.json",
	} {
		t.Run(pattern, func(t *testing.T) {
			c := corpusCluster(t, pattern)
			if c.Count < 5 {
				t.Errorf("%d objects read", c.Count)
			}
			for _, f := range applyObjects(c) {
				t.Logf("%s %s: %s", f.Rule, f.Severity, f.Title)
				if f.Alarm() {
					t.Errorf("%s %s %s: %s\n  %s\n  %v", f.Rule, f.Name, f.Severity, f.Title, f.Why, f.Evidence)
				}
			}
		})
	}
}

// TestRealStoriesAreFound: objects of control planes that were in trouble.
func TestRealStoriesAreFound(t *testing.T) {
	for _, s := range []struct{ pattern, want string }{
		{"bundles/audit/snapshots/pinniped-*.json", "TR730 critical/high pod-storm Deployment " +
			"pinniped-concierge/pinniped-concierge-kube-cert-agent"},
		{"bundles/audit/snapshots/bundledeployments-*.json", "TR743 high/high hot-loop BundleDeployment " +
			"cluster-fleet-local-local-1a3d67d0a899/mcc-harvester"},
		{"cases/bundle-pod-storm-nodeaffinity/*.tar.gz", "TR730 critical/high pod-storm Deployment shop/gpu-index"},
	} {
		t.Run(s.pattern, func(t *testing.T) {
			found := applyObjects(corpusCluster(t, s.pattern))
			if len(found) == 0 || gotObject(&found[0]) != s.want {
				t.Errorf("want %s first", s.want)
			}
			for i := range found {
				f := &found[i]
				rulestest.CheckFinding(t, f)
				checkObjectFinding(t, f)
				t.Logf("%s\n  %s\n  %s\n  %s\n  %+v\n  %+v\n  %q", gotObject(f), f.Title, f.Why, f.Fix, f.Next,
					f.Evidence, f.Notes)
			}
		})
	}
}
