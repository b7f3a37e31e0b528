package redact

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/testdata/gen/secrets"
)

// hiddenOf redacts the samples as files of one archive and returns which of them lost their secrets.
func hiddenOf(t *testing.T, samples []secrets.Sample) []bool {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), "in.tar"), filepath.Join(t.TempDir(), "out.tar")
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	for _, s := range samples {
		if err := w.WriteHeader(&tar.Header{Name: "b/" + s.File, Mode: 0o644, Size: int64(len(s.Text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, s.Text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Copy(t.Context(), in, out, CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	copied := map[string]string{}
	f, err = os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		copied[strings.TrimPrefix(h.Name, "b/")] = string(text)
	}
	hidden := make([]bool, len(samples))
	for i, s := range samples {
		text, ok := copied[s.File]
		if !ok {
			t.Fatalf("%s (%s) is not in the copy", s.File, s.Context)
		}
		hidden[i] = true
		for _, secret := range s.Secrets {
			hidden[i] = hidden[i] && !strings.Contains(text, secret)
		}
	}
	return hidden
}

func TestRecall(t *testing.T) {
	fails := map[string]int{}
	for seed := range uint64(6) {
		samples := secrets.Samples(seed)
		if seed >= 3 {
			samples = secrets.HeldSamples(seed)
		}
		n := 0
		for i, ok := range hiddenOf(t, samples) {
			if ok {
				n++
				continue
			}
			s := samples[i]
			if fails[s.Context]++; fails[s.Context] == 1 {
				t.Logf("%s | %s | %q", s.Context, s.Family, s.Text[:min(len(s.Text), 300)])
			}
		}
		t.Logf("seed %d: %d of %d", seed, n, len(samples))
	}
	for c, n := range fails {
		t.Logf("%3d %s", n, c)
	}
	for _, s := range secrets.Survivors(1) {
		if got := NewText(Options{}).String(s); got != s {
			t.Logf("harmed: %s -> %s", s, got)
		}
	}
}
