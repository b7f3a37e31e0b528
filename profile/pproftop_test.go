package profile

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/symbol"
)

// topStride takes every so many of the corpus's profiles: one run of `go tool pprof` takes 0.1 to 1 s.
const topStride = 12

func TestSharesAgreeWithPprofTop(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go tool pprof")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	n := 0
	for i, file := range corpusFiles(t) {
		if i%topStride != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(data)
		if err != nil || isText(data) || p.Runtime != RuntimeGo || p.Kind == KindOther || p.Total() == 0 {
			continue // pprof prints addresses in the place of names, and other languages' names its own way
		}
		if slices.ContainsFunc(p.Stacks, func(s Stack) bool { return s.Values[p.Value] < 0 }) {
			continue // pprof's whole is the sizes of its samples; equal stacks are added up here before
		}
		n++
		compareTop(t, file, NewView(p))
	}
	if n < 5 {
		t.Errorf("only %d profiles were compared", n)
	}
}

func compareTop(t *testing.T, file string, v *View) {
	t.Helper()
	out, err := exec.Command("go", "tool", "pprof", "-symbolize=none", "-top", "-cum", "-nodecount=50", "-nodefraction=0",
		"-sample_index="+v.ValueType().Type, file).Output()
	if err != nil {
		t.Errorf("%s: go tool pprof: %v", filepath.Base(file), err)
		return
	}
	cum := map[string]float64{}
	for _, r := range v.Top(-1, ByCum, nil) {
		cum[v.Functions[r.Func].Name] = 100 * v.Share(r.Cum)
	}
	_, table, _ := strings.Cut(string(out), "cum%\n")
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		want, err := strconv.ParseFloat(strings.TrimSuffix(fields[4], "%"), 64)
		if err != nil {
			t.Errorf("%s: pprof's line %q", filepath.Base(file), line)
			continue
		}
		name := strings.Join(fields[5:], " ")
		name = strings.TrimSuffix(strings.TrimSuffix(name, " (inline)"), " (partial-inline)")
		if name[0] == '[' || name == "<unknown>" {
			continue // no symbol
		}
		if at, _ := symbol.Innermost(name); at > 0 && cum[name] == 0 {
			continue // it has the name of its source, see frame.SourceName
		}
		// pprof prints two digits behind the point, fewer for large shares.
		if got, ok := cum[name]; !ok || math.Abs(got-want) > 0.0051+want*0.005 {
			t.Errorf("%s: %s has %.3f %%, pprof says %v %%", filepath.Base(file), name, got, want)
		}
	}
}
