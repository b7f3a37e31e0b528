package logpattern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestTheRarestObjectLosesItsPlaceTheOneSeenLongestAgoFirst(t *testing.T) {
	m := NewMiner()
	random := rand.New(rand.NewPCG(1, 2))
	for num := int64(1); num <= 20_000; num++ {
		name := random.IntN(100)
		if random.IntN(2) == 0 {
			name = random.IntN(5000)
		}
		m.Line(fmt.Appendf(nil, "syncing pod prod/web-%d", name), num, 0, nil)
		p := m.patterns[0]
		if p.ranks == nil {
			continue
		}
		if len(p.ranks) != len(p.objects) || len(p.objects) != maxObjects || len(p.byKey) != maxObjects {
			t.Fatalf("%d ranks of %d objects, %d known", len(p.ranks), len(p.objects), len(p.byKey))
		}
		for i, o := range p.objects {
			if o.at != i || p.ranks[i] != o.rank() || p.byKey[o.key] != o {
				t.Fatalf("line %d: object %d at %d has rank %v, want %v", num, i, o.at, p.ranks[i], o.rank())
			}
		}
	}
}

func BenchmarkLinesOfEverNewObjects(b *testing.B) {
	m := NewMiner()
	b.ReportAllocs()
	var line []byte
	for i := range b.N {
		line = fmt.Appendf(line[:0], "syncing pod prod/web-%d", i)
		m.Line(line, int64(i), 0, nil)
	}
}
