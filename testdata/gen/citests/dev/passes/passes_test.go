package passes

import "testing"

func TestOne(t *testing.T)     { t.Log("goroutine 7 [running]: is what a dump begins with") }
func TestTwo(t *testing.T)     { t.Run("sub", func(t *testing.T) { t.Parallel() }) }
func TestSkipped(t *testing.T) { t.Skip("not here") }
func BenchmarkOne(b *testing.B) {
	for b.Loop() {
		_ = make([]byte, 100)
	}
}
