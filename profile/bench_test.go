package profile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
)

// benchFiles are the real profiles that both readers take, by their size.
func benchFiles(b *testing.B) (data [][]byte, size int64) {
	for _, file := range corpusFiles(b) {
		if filepath.Base(filepath.Dir(file)) == "goroutine-text" {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Read(raw); err == nil {
			data = append(data, raw)
			size += int64(len(raw))
		}
	}
	return data, size
}

func BenchmarkRead(b *testing.B) {
	data, size := benchFiles(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range data {
			if _, err := Read(raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadOfPprof(b *testing.B) {
	data, size := benchFiles(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range data {
			if _, err := profile.ParseData(raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkView(b *testing.B) {
	data, size := benchFiles(b)
	profiles := make([]*Profile, len(data))
	for i, raw := range data {
		profiles[i], _ = Read(raw)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range profiles {
			NewView(p).Top(50, ByCum, nil)
		}
	}
}
