package least

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTheSmallestAreThoseOfAFullSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		most, n, span := 1+rng.IntN(20), rng.IntN(200), 1+rng.Uint64N(300)
		l := New(most, rng.IntN(200))
		var want []uint64
		for range n {
			v := math.MaxUint64 - rng.Uint64N(span)
			l.Add(v)
			want = append(want, v)
		}
		slices.Sort(want)
		got := l.Sorted()
		if !slices.Equal(got, want[:min(n, most)]) {
			t.Fatalf("the %d smallest of %d are %d, want %d", most, n, got, want[:min(n, most)])
		}
		if got == nil {
			t.Fatal("no numbers are nil")
		}
	}
}

func TestManyNumbersTakeNoMoreRoomThanTheSmallest(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		l := New(100, 10_000)
		for i := range uint64(10_000) {
			l.Add(i * 0x9E3779B97F4A7C15)
		}
		l.Sorted()
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
