package profile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
)

// described is what a profile and its conversion back must agree in.
func described(p *Profile) map[string]any {
	stacks := []string{}
	values := [][]int64{}
	labels := []LabelSet{}
	for i := range p.Stacks {
		s := &p.Stacks[i]
		stacks = append(stacks, stackText(p, s))
		values = append(values, s.Values)
		labels = append(labels, p.Labels[s.Label])
	}
	return map[string]any{
		"stacks": stacks, "values": values, "labels": labels, "types": p.Types, "value": p.Value, "time": p.Time,
		"duration": p.Duration, "period": p.Period, "of": p.PeriodType, "comments": len(p.Comments),
		"binary": p.Binary, "build": p.BuildID, "go": p.Go, "unsymbolized": p.Unsymbolized, "kind": p.Kind,
	}
}

func TestPprofAndBackIsTheSame(t *testing.T) {
	for _, file := range captures.Files(t, "../testdata/profiles") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(data)
		if err != nil || isText(data) {
			continue // a text's statistics and leading frames have no place in a pprof profile
		}
		back(t, filepath.Base(file), p)
	}
	back(t, "inlined, labelled, without names", cpu(`
		3 | a.F@a.go:7 <in a.G@a.go:9 < main.main@m.go:3 | q=1
		2 | ? < main.main@m.go:3`).read(t))
}

func back(t *testing.T, name string, p *Profile) {
	t.Helper()
	q := p.Pprof()
	if err := q.CheckValid(); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	r, err := Read(encode(t, q))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(described(p), described(r)); diff != "" {
		t.Errorf("%s, written and read (-want +got):\n%s", name, diff)
	}
}
