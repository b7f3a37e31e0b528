package profile

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/gotriage/triage/stackparse/frame"
)

// corpusFiles lists the real profiles, skipping the test where there are none.
func corpusFiles(t testing.TB) []string {
	root := os.Getenv("TRIAGE_CORPUS")
	if root == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real profiles to read")
	}
	var files []string
	err := filepath.Walk(filepath.Join(root, "profiles"), func(path string, info os.FileInfo, err error) error {
		switch filepath.Ext(path) {
		case ".md", ".go", ".mod", ".sum", ".sh":
			return err
		}
		if err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 100 {
		t.Fatalf("%d profiles under %s: %v", len(files), root, err)
	}
	return files
}

// otherForms are the beginnings of forms that pprof reads and Go programs never wrote: refused, saying so.
var otherForms = []string{"--- threadz", "--- heapz", "--- contentionz 1", "heap profile:  "}

// Of a difference, only the newer profile's samples are compared: those of the base are left out on purpose.
func TestReadAgreesWithPprofOnRealProfiles(t *testing.T) {
	for _, file := range corpusFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		want, wantErr := profile.ParseData(data)
		got, err := Read(data)
		if err != nil {
			if wantErr == nil && !refusedForm(data) {
				t.Errorf("%s: %v, pprof reads it", name, err)
			}
			continue
		}
		if wantErr != nil {
			t.Errorf("%s: read, pprof says %v", name, wantErr)
			continue
		}
		want.Sample = slices.DeleteFunc(want.Sample, (*profile.Sample).DiffBaseSample)
		agree(t, name, got, want, isText(data))
	}
}

func refusedForm(data []byte) bool {
	words := len(data) > 12 && data[0] == 0 // of Go 1.8 and before, of gperftools
	return words || slices.ContainsFunc(otherForms, func(s string) bool { return bytes.HasPrefix(data, []byte(s)) }) ||
		bytes.Contains(data[:min(len(data), 200)], []byte("growth")) || bytes.Contains(data[:min(len(data), 200)], []byte("format = java"))
}

// agree compares what both readers say. pprof reads no functions out of a text.
func agree(t *testing.T, name string, got *Profile, want *profile.Profile, text bool) {
	t.Helper()
	if text && len(want.SampleType) == 2 && len(got.Types) == 4 {
		return // pprof shows two of the four columns where both pairs are equal, which Go never writes
	}
	if len(got.Types) != len(want.SampleType) {
		t.Errorf("%s: types %v, want %v", name, got.Types, want.SampleType)
		return
	}
	sums := make([]int64, len(got.Types))
	cum := map[string]int64{}
	for _, s := range want.Sample {
		for i, v := range s.Value {
			sums[i] += v
		}
		seen := map[string]bool{}
		for _, l := range s.Location {
			for _, ln := range l.Line {
				if fn := frame.SourceName(ln.Function.Name, ln.Function.Filename); !seen[fn] && fn != "" {
					seen[fn] = true
					cum[fn] += s.Value[got.Value]
				}
			}
		}
	}
	for i := range got.Types {
		var sum int64
		for _, s := range got.Stacks {
			sum += s.Values[i]
		}
		if off := math.Abs(float64(sum - sums[i])); off > 0 && !(text && off <= float64(len(want.Sample))) {
			t.Errorf("%s: %s adds up to %d, want %d", name, got.Types[i].Type, sum, sums[i])
		}
	}
	if text {
		return
	}
	ours := map[string]int64{}
	for _, s := range got.Stacks {
		seen := map[string]bool{}
		for _, f := range s.Frames {
			if fn := got.Functions[got.Frames[f].Func].Name; !seen[fn] && fn != "" {
				seen[fn] = true
				ours[fn] += s.Values[got.Value]
			}
		}
	}
	if !cmp.Equal(cum, ours) {
		t.Errorf("%s: functions differ: %s", name, strings.Join(strings.SplitN(cmp.Diff(cum, ours), "\n", 20), "\n"))
	}
	if got.Period != want.Period || !got.Time.IsZero() && got.Time.UnixNano() != want.TimeNanos {
		t.Errorf("%s: period %d at %v, want %d at %d", name, got.Period, got.Time, want.Period, want.TimeNanos)
	}
}
