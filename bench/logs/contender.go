package logs

import "github.com/gotriage/triage/internal/logpattern"

// A Contender groups lines.
type Contender struct {
	Name string
	// New returns a miner: line returns the number of a line's group, groups how many there are in the end.
	New func() (line func([]byte) int, groups func() int)
}

// Contenders are triage and Drain: with Drain3's defaults, and stricter and looser ones.
func Contenders() []Contender {
	drain := func(depth int, threshold float64) func() (func([]byte) int, func() int) {
		return func() (func([]byte) int, func() int) {
			d := NewDrain(depth, 100, threshold)
			return func(l []byte) int { return d.Line(string(l)) }, d.Clusters
		}
	}
	return []Contender{
		{"triage", func() (func([]byte) int, func() int) {
			m := logpattern.NewMiner()
			num := int64(0)
			line := func(l []byte) int {
				num++
				return m.Line(l, num, 0, nil)
			}
			return line, func() int { return m.Close().Forms }
		}},
		{"drain, 0.4", drain(4, 0.4)}, // Drain3's defaults
		{"drain, 0.6, depth 6", drain(6, 0.6)},
		{"drain, 0.3", drain(4, 0.3)}, // Loki's threshold
	}
}

// Mine groups an input's lines and returns the number of groups.
func (c Contender) Mine(in Input) int {
	line, groups := c.New()
	for _, l := range in.Lines {
		line(l)
	}
	return groups()
}

// Accuracy is the grouping accuracy of Zhu et al. (Tools and Benchmarks for Automated Log Parsing, ICSE 2019): the
// share of lines whose group contains exactly the lines of their label.
func (c Contender) Accuracy(in Input) float64 {
	line, _ := c.New()
	inLabel, inGroup, both := map[int]int{}, map[int]int{}, map[[2]int]int{}
	for i, l := range in.Lines {
		g := line(l)
		inLabel[in.Labels[i]]++
		inGroup[g]++
		both[[2]int{in.Labels[i], g}]++
	}
	right := 0
	for p, n := range both {
		if n == inLabel[p[0]] && n == inGroup[p[1]] {
			right += n
		}
	}
	return float64(right) / float64(len(in.Lines))
}
