package stackparse

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

func TestDumpsOfOneProcessShareTheTextAndWordsThatStay(t *testing.T) {
	var text strings.Builder
	for dump := range 3 {
		text.WriteString("goroutine 1 [running]:\nmain.main()\n\t/src/main.go:5 +0x1d\n\n")
		for id, object := range []int{0xc000100000, 0xc000200000, 0xc000300000} {
			if id == 2 {
				object += dump << 12
			}
			fmt.Fprintf(&text, "goroutine %d [chan send]:\nmain.(*pool).work(0x%x)\n\t/src/main.go:10 +0x1d\n\n", id+2, object)
		}
		text.WriteString("a line\nof the log\nbetween\n")
	}
	dumps, err := Parse(strings.NewReader(text.String()))
	if err != nil || len(dumps) != 3 {
		t.Fatalf("got %v, %v", summaries(dumps), err)
	}
	first, next := dumps[0].Buckets[0], dumps[1].Buckets[0]
	if first.Text == "" || unsafe.StringData(first.Text) != unsafe.StringData(next.Text) {
		t.Errorf("the dumps have texts of their own: %q and %q", first.Text, next.Text)
	}
	if len(first.Samples) != 3 || len(next.Samples) != 3 {
		t.Fatalf("samples: %v and %v", first.Samples, next.Samples)
	}
	for i := range 3 {
		own, other := first.Samples[i].Words, next.Samples[i].Words
		if shared := &own[0] == &other[0]; shared != (i < 2) {
			t.Errorf("goroutine %d: shared is %v", i, shared)
		}
	}
	for i, d := range dumps {
		if got, want := d.Buckets[0].Samples[2].Words[0].Value(), uint64(0xc000300000+i<<12); got != want {
			t.Errorf("dump %d: the last goroutine's word is %#x, want %#x", i, got, want)
		}
	}
}
