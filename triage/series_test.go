package triage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// shopDump writes the text of a dump of a process whose goroutines from to upto-1 wait in shop.(*Desk).ask, each for a
// channel of its own, beside 20 workers.
func shopDump(from, upto int, heap string, shift int) string {
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\nmain.main()\n\t/src/shop/main.go:12 +0x1d\n\n")
	wait := func(id int, fn, file string, line int, by string) {
		fmt.Fprintf(&b, "goroutine %d [chan receive]:\nruntime.chanrecv(0x%s%04x0, 0x0, 0x1)\n\truntime/chan.go:667 +0x445\n", id, heap, id)
		fmt.Fprintf(&b, "example.com/shop.%s()\n\t/src/shop/%s:%d +0x2a\ncreated by example.com/shop.%s in goroutine 1\n\t/src/shop/%s:%d +0x5c\n\n", fn, file, line+shift, by, file, line+shift-5)
	}
	for id := 2; id < 22; id++ {
		wait(id, "(*Pool).worker", "pool.go", 40, "NewPool")
	}
	for id := from; id < upto; id++ {
		wait(id, "(*Desk).ask", "desk.go", 58, "(*Desk).Quote")
	}
	return b.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSeries_ShowsWhatGrewFirst(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "1.txt", shopDump(30, 40, "c000", 0))
	write(t, dir, "2.txt", shopDump(30, 60, "c000", 0))
	write(t, dir, "3.txt", shopDump(30, 90, "c000", 0))
	r := runOn(t, dir)
	if len(r.Series) != 1 {
		t.Fatalf("%d series, want 1", len(r.Series))
	}
	s := r.Series[0]
	if len(s.Dumps) != 3 || s.DumpsTotal != 3 || len(s.Steps) != 2 || s.BucketsTotal != 3 {
		t.Fatalf("%d dumps, %d steps, %d buckets", len(s.Dumps), len(s.Steps), s.BucketsTotal)
	}
	if got, want := s.Steps[1], (schema.SeriesStep{Stayed: 51, New: 30}); got != want {
		t.Errorf("step %+v, want %+v", got, want)
	}
	b := s.Buckets[0]
	if b.Function != "example.com/shop.(*Desk).ask" || b.Line != 58 || b.Trend != stackparse.TrendGrew || b.Stuck != 10 ||
		!slices.Equal(b.Counts, []int{10, 30, 60}) || !slices.Equal(b.Stayed, []int{10, 30}) || b.CreatedBy != "example.com/shop.(*Desk).Quote" {
		t.Errorf("first bucket: %+v", b)
	}
	if b := s.Buckets[1]; b.Trend != stackparse.TrendSteady || b.Stuck != 20 {
		t.Errorf("second bucket: %+v", b)
	}
}

func TestSeries_IsAbsentForOneDumpOfEachProcess(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", shopDump(30, 40, "c000", 0))
	write(t, dir, "b.txt", shopDump(30, 40, "c777", 0))
	if r := runOn(t, dir); r.Series != nil {
		t.Errorf("series of two processes: %+v", r.Series[0])
	}
}

func TestSeries_KeepsTheFirstHundredStacksAndSaysHowMany(t *testing.T) {
	var b strings.Builder
	for i := range 150 {
		fmt.Fprintf(&b, "goroutine %d [chan receive]:\nruntime.chanrecv(0xc000%04x0, 0x0, 0x1)\n\truntime/chan.go:667 +0x445\nmain.f%d()\n\t/src/main.go:%d +0x2a\n\n", i+1, i, i, i+1)
	}
	dir := t.TempDir()
	write(t, dir, "1.txt", b.String())
	// The same text twice would be one dump and its copy.
	write(t, dir, "2.txt", strings.Replace(b.String(), "[chan receive]", "[chan receive, 2 minutes]", 1))
	s := runOn(t, dir).Series
	if len(s) != 1 || len(s[0].Buckets) != 100 || s[0].BucketsTotal != 150 {
		t.Fatalf("%d series, %d of %d buckets", len(s), len(s[0].Buckets), s[0].BucketsTotal)
	}
}

func TestSeries_AProcessIsFollowedWhileItsGoroutinesChange(t *testing.T) {
	// Each dump has half of the goroutines of the one before; the last shares none with the first.
	dir := t.TempDir()
	for i := range 5 {
		text := shopDump(100+i*100, 300+i*100, "c000", 0) // without the workers, which never change
		at := strings.Index(text, "goroutine 2 ")
		upto := strings.Index(text, fmt.Sprintf("goroutine %d ", 100+i*100))
		write(t, dir, fmt.Sprintf("%d.txt", i), text[:at]+text[upto:])
	}
	r := runOn(t, dir)
	if len(r.Series) != 1 || len(r.Series[0].Dumps) != 5 {
		t.Errorf("%d series", len(r.Series))
	}
}

func TestASignalsDumpAndOneOfPprofGrowByNothingThatOnlyOnePrints(t *testing.T) {
	dir := captures.Unpack(t, "../testdata/dumps/go1.26.tar.zst", "stuck2-convoy-sleep-debug2.txt", "stuck2-convoy-sleep.txt")
	r, err := Run(t.Context(), Options{Inputs: []string{dir + "/stuck2-convoy-sleep-debug2.txt", dir + "/stuck2-convoy-sleep.txt"}})
	if err != nil || len(r.Series) != 1 {
		t.Fatalf("%v, %d series", err, len(r.Series))
	}
	s := &r.Series[0]
	if s.Steps[0].New > 0 || s.Dumps[1].Goroutines > s.Dumps[0].Goroutines {
		t.Errorf("%+v from %d to %d goroutines", s.Steps[0], s.Dumps[0].Goroutines, s.Dumps[1].Goroutines)
	}
}
