package warm

import (
	"errors"
	"fmt"
	"testing"
)

func FuzzTrim(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) { _ = s })
}

func BenchmarkFormat(b *testing.B) {
	for b.Loop() {
		_ = fmt.Sprintf("%d goroutines", b.N)
	}
}

func Example() {
	fmt.Println("fatal error: all goroutines are asleep")
	// Output: fatal error: all goroutines are asleep
}

func TestWarm(t *testing.T) { t.Log(errors.New("panic: recovered")) }
