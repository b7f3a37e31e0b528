package sources

import (
	"fmt"
	"hash/maphash"
	"slices"
	"testing"
)

func TestStampsOfOneTimeAreEqualHoweverTheyAreWritten(t *testing.T) {
	for _, group := range [][]string{
		{"2021-08-03T09:23:52.352042130Z", "2021-08-03T09:23:52.35204213Z", "2021-08-03T09:23:52.352042130+00:00",
			"2021-08-03T05:23:52.352042130-04:00"},
		{"2021-08-03T09:23:50Z", "2021-08-03T09:23:50.000000000Z", "2021-08-03T11:23:50+02:00"},
	} {
		for _, s := range group {
			if got := string(plainStamp([]byte(s))); got != string(plainStamp([]byte(group[0]))) {
				t.Errorf("%s is %s", s, got)
			}
		}
	}
	if string(plainStamp([]byte("Mar  5 10:00:00"))) != "Mar  5 10:00:00" {
		t.Error("a time of another form is compared as it is")
	}
}

func TestASampleIsBoundedAndTheSameForACutCopy(t *testing.T) {
	seed := maphash.MakeSeed()
	whole, cut := sketch{seed: seed}, sketch{seed: seed}
	for i := range 20_000 {
		line := fmt.Appendf(nil, "E0305 10:00:%02d.%06d 1 a.go:1] x", i%60, i)
		whole.line(line, nil)
		if i >= 15_000 {
			cut.line(line, nil)
		}
	}
	whole.plain.settle()
	cut.plain.settle()
	if n := len(whole.plain.keys); n == 0 || n > sketchSize {
		t.Errorf("%d lines are kept", n)
	}
	level := max(whole.plain.level, cut.plain.level)
	for _, k := range cut.plain.keys {
		if k&(1<<level-1) == 0 && !slices.Contains(whole.plain.keys, k) {
			t.Fatal("a line of the copy is not in the sample of the whole")
		}
	}
}

func BenchmarkSketch(b *testing.B) {
	k := sketch{seed: maphash.MakeSeed()}
	line, stamp := []byte("E0305 10:00:00.123456       1 cache.go:41] sync of the cache failed: connection refused"),
		[]byte("2021-08-03T09:23:52.352042130Z")
	b.ReportAllocs()
	for b.Loop() {
		k.line(line, stamp)
	}
}
