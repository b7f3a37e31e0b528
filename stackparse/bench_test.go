package stackparse

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkParser measures text to collapsed buckets over the founding dump repeated to about 95 MB.
func BenchmarkParser(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(corpus(b), "dumps", "harvester-2558.txt"))
	if err != nil {
		b.Fatal(err)
	}
	benchmarkDump(b, bytes.Repeat(text, 30), 30*2764)
}

// BenchmarkParser_Fixture does the same with what the repository holds: a signal's dump in full detail.
func BenchmarkParser_Fixture(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(fixtures, "go1.26", "zoo-signal.txt"))
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, d := range parse(text) {
		n += d.Goroutines
	}
	benchmarkDump(b, bytes.Repeat(text, 100), 100*n)
}

func benchmarkDump(b *testing.B, text []byte, want int) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		p := NewParser(func(d *Dump) { n += d.Goroutines })
		feed(p, text)
		p.Close()
		if n != want {
			b.Fatalf("%d goroutines, want %d", n, want)
		}
	}
}
