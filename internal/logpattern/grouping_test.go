package logpattern

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// labelled reads the sample: lines with the number of the statement that logged each (testdata/gen/loglines).
func labelled(t testing.TB) (lines [][]byte, labels []int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "labelled.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		label, text, ok := bytes.Cut(bytes.TrimRight(line, "\n"), []byte("\t"))
		n, err := strconv.Atoi(string(label))
		if !ok || err != nil {
			t.Fatalf("no label: %q", line)
		}
		lines, labels = append(lines, text), append(labels, n)
	}
	return lines, labels
}

// accuracy is the grouping accuracy of Zhu et al. (Tools and Benchmarks for Automated Log Parsing, ICSE 2019): the
// share of lines whose group holds exactly the lines of their label.
func accuracy(labels, groups []int) float64 {
	sizeOf := func(of []int) map[int]int {
		m := map[int]int{}
		for _, x := range of {
			m[x]++
		}
		return m
	}
	type pair struct{ label, group int }
	both := map[pair]int{}
	for i := range labels {
		both[pair{labels[i], groups[i]}]++
	}
	inLabel, inGroup := sizeOf(labels), sizeOf(groups)
	right := 0
	for p, n := range both {
		if n == inLabel[p.label] && n == inGroup[p.group] {
			right += n
		}
	}
	return float64(right) / float64(len(labels))
}

// minAccuracy is well above what Drain reaches on the same sample at its best, 0.77 (He et al., ICWS 2017, with the defaults of Drain3).
const minAccuracy = 0.9

func TestLinesOfOneStatementFallIntoOnePattern(t *testing.T) {
	lines, labels := labelled(t)
	m := NewMiner()
	groups := make([]int, len(lines))
	for i, l := range lines {
		groups[i] = m.Line(l, int64(i+1), 0, nil)
	}
	got := accuracy(labels, groups)
	t.Logf("grouping accuracy %.3f over %d lines, %d patterns", got, len(lines), len(m.Close().Patterns))
	if got < minAccuracy {
		t.Errorf("grouping accuracy %.3f, want %.3f", got, minAccuracy)
	}
	if !testing.Verbose() {
		return
	}
	seen := map[int]map[int]int{}
	example := map[int]string{}
	for i := range lines {
		if seen[labels[i]] == nil {
			seen[labels[i]] = map[int]int{}
		}
		seen[labels[i]][groups[i]]++
		example[labels[i]] = string(lines[i])
	}
	for l, g := range seen {
		if len(g) > 1 {
			t.Logf("statement %d in %d patterns: %v %.160s", l, len(g), g, example[l])
		}
	}
}
