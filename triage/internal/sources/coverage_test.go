package sources

import "testing"

func TestCoverageCountsLinesOfEachPart(t *testing.T) {
	var c coverage
	c.add(5, 14)
	c.add(15, 20) // the dump after it, without a gap
	c.add(90, 129)
	for _, w := range []struct{ first, end, want int64 }{
		{1, 101, 16 + 11},
		{101, -1, 29},
		{1, -1, 56},
		{21, 90, 0},
	} {
		if got := c.lines(w.first, w.end); got != w.want {
			t.Errorf("lines(%d, %d) = %d, want %d", w.first, w.end, got, w.want)
		}
	}
}

func TestCoverageIsBounded(t *testing.T) {
	var c coverage
	for i := range int64(maxSpans + 1000) {
		c.add(10*i, 10*i+1)
	}
	if len(c.spans) != maxSpans {
		t.Errorf("%d spans, want %d", len(c.spans), maxSpans)
	}
	if got, want := c.lines(0, -1), int64(2*(maxSpans+1000)); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
}
