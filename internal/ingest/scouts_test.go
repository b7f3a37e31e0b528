package ingest

import (
	"bytes"
	"context"
	"runtime"
	"sync/atomic"
	"testing"
)

// A taker takes goroutines by their empty lines alone.
type taker struct {
	lines, seen int64
	wrong       bool
}

func (k *taker) handler(ahead func() Ahead) Handler {
	return Handler{
		Ahead: ahead,
		Lines: func(lines []Line) error { k.lines += int64(len(lines)); return nil },
		Goroutines: func(text []byte, at Place) (int, int64) {
			if size, ok := at.Seen.(int); ok {
				k.seen++
				k.wrong = k.wrong || size < len(text)
			}
			i := bytes.Index(text, []byte("\n\n"))
			if i < 0 {
				return 0, 0
			}
			n := int64(bytes.Count(text[:i+2], []byte("\n")))
			k.wrong = k.wrong || at.Num != k.lines+1
			k.lines += n
			return i + 2, n
		},
	}
}

func goroutines(size int) []byte {
	return bytes.Repeat([]byte("goroutine 1 [select]:\nmain.f(0x1)\n\t/a.go:1 +0x1\n\n"), size/50)
}

func TestScoutsLookAtALargeText(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	text := goroutines(16 << 20)
	var looked atomic.Int64
	k := &taker{}
	h := k.handler(func() Ahead {
		return func(text []byte, _ Headers, _ any) any { looked.Add(1); return len(text) }
	})
	if _, err := Read(context.Background(), memorySource(text), h, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := int64(bytes.Count(text, []byte("\n"))); k.lines != want || k.wrong {
		t.Errorf("%d lines of %d, wrong %t", k.lines, want, k.wrong)
	}
	if k.seen == 0 || looked.Load() == 0 {
		t.Errorf("scouts looked at %d buffers, %d goroutines came with what they saw", looked.Load(), k.seen)
	}
}

func TestAScoutThatFailsCostsNoLine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	text := goroutines(8 << 20)
	k := &taker{}
	h := k.handler(func() Ahead { return func([]byte, Headers, any) any { panic("a scout fails") } })
	if _, err := Read(context.Background(), memorySource(text), h, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := int64(bytes.Count(text, []byte("\n"))); k.lines != want || k.seen > 0 {
		t.Errorf("%d lines of %d, %d goroutines with what scouts saw", k.lines, want, k.seen)
	}
}

func TestOneProcessorHasNoScouts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	k := &taker{}
	h := k.handler(func() Ahead { t.Error("a scout was made"); return nil })
	if _, err := Read(context.Background(), memorySource(goroutines(8<<20)), h, Options{}); err != nil {
		t.Fatal(err)
	}
}
