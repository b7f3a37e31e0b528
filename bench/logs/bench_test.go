package logs

import (
	"errors"
	"path/filepath"
	"testing"
)

func inputs(t testing.TB) []Input {
	t.Helper()
	sample, err := Sample(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	real, err := Harvester()
	if errors.Is(err, ErrNoCorpus) {
		t.Log(err)
		return append([]Input{sample}, Made()...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return append([]Input{sample, real}, Made()...)
}

// TestGroupingIsNoWorseThanDrains holds the aim of the comparison on the labelled sample.
func TestGroupingIsNoWorseThanDrains(t *testing.T) {
	sample := inputs(t)[0]
	all := Contenders()
	ours := all[0].Accuracy(sample)
	for _, c := range all[1:] {
		if theirs := c.Accuracy(sample); ours < theirs {
			t.Errorf("grouping accuracy: triage %.3f, %s %.3f", ours, c.Name, theirs)
		}
	}
}

// TestDrainGroupsAsItsAuthorsDescribe keeps the comparison honest, with the example of Drain's paper: same length, same
// first word, half of the words.
func TestDrainGroupsAsItsAuthorsDescribe(t *testing.T) {
	d := NewDrain(4, 100, 0.4)
	a, b := d.Line("Receive from node 4"), d.Line("Receive from node 8")
	if c := d.Line("Receive from node 8 again"); a != b || c == a || d.Clusters() != 2 {
		t.Errorf("groups %d, %d, %d of %d", a, b, c, d.Clusters())
	}
}

func BenchmarkMine(b *testing.B) {
	for _, in := range inputs(b) {
		for _, c := range Contenders() {
			b.Run(in.Name+"/"+c.Name, func(b *testing.B) {
				b.SetBytes(int64(in.Bytes))
				b.ReportAllocs()
				groups := 0
				for b.Loop() {
					groups = c.Mine(in)
				}
				b.ReportMetric(float64(len(in.Lines))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
				b.ReportMetric(float64(groups), "groups")
			})
		}
	}
}
