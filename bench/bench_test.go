package bench

import "testing"

// BenchmarkCollapse prints, for each input and contender, the rate over the bytes read and what it found.
func BenchmarkCollapse(b *testing.B) {
	inputs, err := Inputs("..", Size)
	if err != nil {
		b.Fatal(err)
	}
	for _, in := range inputs {
		b.Run(in.Name, func(b *testing.B) {
			text := in.Text()
			for _, c := range Contenders() {
				if in.Framed && !c.Framed {
					continue // it finds nothing there: TestPeersFindNothingBehindFraming
				}
				b.Run(c.Name, func(b *testing.B) { measure(b, in, text, c) })
			}
		})
	}
}

func measure(b *testing.B, in Input, text []byte, c Contender) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var r Result
	for b.Loop() {
		var err error
		if r, err = c.Run(text); err != nil {
			b.Fatal(err)
		}
	}
	if r.Goroutines < in.Goroutines {
		b.Skipf("it finds %d of %d goroutines: no comparison", r.Goroutines, in.Goroutines)
	}
	b.ReportMetric(float64(r.Goroutines), "goroutines")
	b.ReportMetric(float64(r.Stacks), "stacks")
}

// small is enough for one dump of each input.
const small = 1

func inputs(t *testing.T) []Input {
	t.Helper()
	all, err := Inputs("..", small)
	if err != nil {
		t.Skip("no founding dump: ", err)
	}
	return all
}

// TestTriageFindsEveryGoroutine keeps the comparison honest: speed is worth nothing if goroutines are missing.
func TestTriageFindsEveryGoroutine(t *testing.T) {
	for _, in := range inputs(t) {
		for _, c := range Contenders()[:2] {
			if in.Framed && !c.Framed {
				continue
			}
			r, err := c.Run(in.Text())
			if err != nil || r.Goroutines != in.Goroutines {
				t.Errorf("%s over %s: %d goroutines, want %d (%v)", c.Name, in.Name, r.Goroutines, in.Goroutines, err)
			}
		}
	}
}

func TestPeersFindNothingBehindFraming(t *testing.T) {
	for _, in := range inputs(t) {
		if !in.Framed {
			continue
		}
		for _, c := range Contenders()[2:] {
			if r, err := c.Run(in.Text()); err == nil && r.Goroutines > 0 {
				t.Errorf("%s over %s: %d goroutines: it is a contender there now", c.Name, in.Name, r.Goroutines)
			}
		}
	}
}

// TestThePeerReadsTheInputsItIsComparedOver: a rate over text in which it finds nothing would be no comparison.
func TestThePeerReadsTheInputsItIsComparedOver(t *testing.T) {
	for _, in := range inputs(t) {
		if in.Name != "controller, Go 1.26, debug=2" {
			continue
		}
		if r, err := goStackParse(in.Text()); err != nil || r.Goroutines != in.Goroutines || in.Goroutines < 500 {
			t.Errorf("gostackparse over %s: %d goroutines of %d (%v)", in.Name, r.Goroutines, in.Goroutines, err)
		}
	}
}
