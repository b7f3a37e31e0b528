package phrase

import "testing"

func TestNumbers_HaveCommasAndNouns(t *testing.T) {
	for n, want := range map[int]string{0: "0 goroutines", 1: "1 goroutine", 999: "999 goroutines", 1000: "1,000 goroutines",
		-1234567: "-1,234,567 goroutines", 37021: "37,021 goroutines"} {
		if got := Count(n, "goroutine"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
