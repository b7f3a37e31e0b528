package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A taker is a Sink that keeps all.
type taker struct {
	writers []Labels
	lines   []string // "writer stamp text"
	texts   []string
	places  []int64
	bytes   int
}

func (k *taker) Writer(l Labels) int32 {
	k.writers = append(k.writers, l)
	return int32(len(k.writers) - 1)
}

func (k *taker) Record(r *Record) error {
	k.bytes += len(r.Text)
	if k.bytes > 1<<20 {
		return nil
	}
	k.lines = append(k.lines, fmt.Sprintf("%d %s %s", r.Writer, r.Stamp, r.Text))
	k.texts = append(k.texts, string(r.Text))
	k.places = append(k.places, r.Line)
	return nil
}

func (k *taker) Flush() error { return nil }

// readAll learns the shape of an export and reads it, holding so many bytes, 0 for the usual limit.
func readAll(t *testing.T, data string, limit int) (*taker, Stats) {
	t.Helper()
	s, _ := Learn([]byte(data[:min(len(data), SampleSize)]))
	if s == nil {
		t.Fatalf("no export: %.300s", data)
	}
	if limit == 0 {
		limit = maxHeld
	}
	k := &taker{}
	stats, err := s.read(context.Background(), strings.NewReader(data), k, limit)
	if err != nil {
		t.Fatal(err)
	}
	return k, stats
}

// stamped is the time of the i-th record.
func stamped(i int) string { return fmt.Sprintf("2026-11-21T02:%02d:%02d.5Z", i/60%60, i%60) }

// traceback is n goroutines, line by line.
func traceback(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("goroutine %d [select]:", i+1), "main.(*T).run(0xc000123456)", "\t/src/main.go:7 +0x1f", "")
	}
	return all
}

func jsonText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// flatLines writes each text as a record with a time, the i-th of at(i).
func flatLines(texts []string, at func(int) string) string {
	var b strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&b, `{"@timestamp":%q,"message":%s}`+"\n", at(i), jsonText(text))
	}
	return b.String()
}

func TestRecordsComeInTheOrderOfTime(t *testing.T) {
	want := traceback(50)
	one := func(int) string { return stamped(7) }
	back := slices.Clone(want)
	slices.Reverse(back)
	shuffled := make([]string, len(want))
	times := make([]string, len(want))
	for i, at := range rand.New(rand.NewPCG(1, 2)).Perm(len(want)) {
		shuffled[i], times[i] = want[at], stamped(at)
	}
	for name, c := range map[string]struct {
		data              string
		falling, unsorted bool
	}{
		"forward":                  {flatLines(want, stamped), false, false},
		"backward":                 {flatLines(back, func(i int) string { return stamped(len(want) - i) }), true, false},
		"one time":                 {flatLines(want, one), false, false},
		"one time, newest first":   {flatLines(back, one), false, false},
		"in no order":              {flatLines(shuffled, func(i int) string { return times[i] }), false, true},
		"a time for ten, forward":  {flatLines(want, func(i int) string { return stamped(i / 10) }), false, false},
		"a time for ten, backward": {flatLines(back, func(i int) string { return stamped((len(want) - i - 1) / 10) }), true, false},
		"a clock that jitters":     {flatLines(want, func(i int) string { return stamped(i ^ 1) }), false, true},
	} {
		k, stats := readAll(t, c.data, 0)
		if diff := cmp.Diff(want, k.texts); diff != "" {
			t.Errorf("%s: %s", name, diff[:min(len(diff), 500)])
		}
		if stats.Falling != c.falling && name != "in no order" || stats.Unsorted != c.unsorted || stats.LeftOut != 0 || stats.Headers != 50 {
			t.Errorf("%s: %+v", name, stats)
		}
	}
}

// Where a store has mixed the lines of one millisecond nobody knows which stack is whose.
func TestADumpWhoseOrderIsLostIsLeftOut(t *testing.T) {
	lines := traceback(50)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	lines = append([]string{"first"}, append(lines, "last")...)
	k, stats := readAll(t, flatLines(lines, func(i int) string { return stamped(min(i, 1) + i/len(lines)) }), 0)
	left := slices.DeleteFunc(k.texts, func(s string) bool { return s == "" })
	if diff := cmp.Diff([]string{"first", "last"}, left); diff != "" || stats.LeftOut != 150 {
		t.Errorf("%s%+v", diff, stats)
	}
}

func TestWritersAreKeptApart(t *testing.T) {
	lines := traceback(2)
	var loki, late, flat, tags strings.Builder
	for p := range 2 {
		var values []string
		for i, l := range lines {
			values = append(values, fmt.Sprintf(`["17951979%02d000000000",%s]`, i+10, jsonText(l)))
		}
		sep := ""
		if p > 0 {
			sep = ","
		}
		labels := fmt.Sprintf(`"stream":{"pod":"web-%d","namespace":"shop","level":"info"}`, p)
		fmt.Fprintf(&loki, `%s{%s,"values":[%s]}`, sep, labels, strings.Join(values, ","))
		fmt.Fprintf(&late, `%s{"values":[%s],%s}`, sep, strings.Join(values, ","), labels)
	}
	for i, l := range lines {
		for p := range 2 {
			fmt.Fprintf(&flat, `{"time":%q,"log":%s,"kubernetes":{"pod_name":"web-%d","namespace_name":"shop"},"namespace":"other"}`+"\n",
				stamped(i), jsonText(l), p)
			fmt.Fprintf(&tags, `{"time":%q,"log":%s,"tags":["pod_name:web-%d","kube_namespace:shop","x"]}`+"\n", stamped(i), jsonText(l), p)
		}
	}
	for name, data := range map[string]string{
		"Loki":                    `{"data":{"result":[` + loki.String() + `]}}`,
		"labels behind the lines": `{"data":{"result":[` + late.String() + `]}}`,
		"in the record":           flat.String(), "tags": tags.String(),
	} {
		k, _ := readAll(t, data, 0)
		want := []Labels{{Namespace: "shop", Pod: "web-0"}, {Namespace: "shop", Pod: "web-1"}}
		if diff := cmp.Diff(want, k.writers); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for p := range 2 {
			var of []string
			for i, l := range k.lines {
				if strings.HasPrefix(l, fmt.Sprint(p)) {
					of = append(of, k.texts[i])
				}
			}
			if diff := cmp.Diff(lines, of); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// One container's lines have several sets of labels in Loki: their level is one of them.
func TestLevelsAreNoWriters(t *testing.T) {
	lines := traceback(30)
	var streams []string
	for _, level := range []string{"info", "error"} {
		var values []string
		for i, l := range lines {
			if (i%3 == 0) == (level == "info") {
				values = append(values, fmt.Sprintf(`["1795197%03d000000000",%s]`, i, jsonText(l)))
			}
		}
		streams = append(streams, fmt.Sprintf(`{"stream":{"pod":"web-1","detected_level":%q},"values":[%s]}`, level, strings.Join(values, ",")))
	}
	k, stats := readAll(t, `{"data":{"result":[`+strings.Join(streams, ",")+`]}}`, 0)
	if diff := cmp.Diff(lines, k.texts); diff != "" || len(k.writers) != 1 || stats.LeftOut > 0 {
		t.Errorf("%s%+v %+v", diff, k.writers, stats)
	}
}

func TestWhatIsTooLargeIsReadInPiecesAndSaysSo(t *testing.T) {
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("level=info msg=%q", fmt.Sprint("line ", i)))
	}
	k, stats := readAll(t, flatLines(lines, stamped), 10_000)
	if diff := cmp.Diff(lines, k.texts); diff != "" || stats.Pieces != 0 || stats.Late != 0 {
		t.Errorf("forward: %s%+v", diff, stats)
	}
	back := slices.Clone(lines)
	slices.Reverse(back)
	k, stats = readAll(t, flatLines(back, func(i int) string { return stamped(len(lines) - 1 - i) }), 10_000)
	if stats.Pieces < 3 || !stats.Falling || stats.Late == 0 || len(k.texts) != len(lines) || k.texts[0] == lines[0] {
		t.Errorf("backward: %+v, %d lines", stats, len(k.texts))
	}
	slices.Sort(k.texts)
	slices.Sort(lines)
	if !slices.Equal(k.texts, lines) {
		t.Error("backward: lines are missing")
	}
}

func TestWhatAStoreCutsIsCounted(t *testing.T) {
	long := strings.Repeat("goroutine 7 [select]:\nmain.run()\n\t/src/main.go:7 +0x1f\n\n", 1000)[:32_766]
	_, stats := readAll(t, flatLines([]string{"a", long, "b", long}, stamped), 0)
	if stats.CutBy != 32_766 || stats.CutRecords != 2 {
		t.Errorf("%+v", stats)
	}
	_, stats = readAll(t, flatLines([]string{"a", long[:32_700], "b"}, stamped), 0)
	if stats.CutRecords != 0 {
		t.Errorf("not cut: %+v", stats)
	}
}

func TestLinesThatAreNoRecordsAreHandedOn(t *testing.T) {
	data := flatLines(traceback(3), stamped) + "{\"message\":\"cut of" + "\n[signal SIGSEGV: segmentation violation]\n-- 7 more\n" +
		flatLines([]string{"after"}, func(int) string { return stamped(100) })
	k, stats := readAll(t, data, 0)
	want := append(traceback(3), "cut of", "[signal SIGSEGV: segmentation violation]", "-- 7 more", "after")
	if diff := cmp.Diff(want, k.texts); diff != "" || stats.Strays != 3 {
		t.Errorf("%s%+v", diff, stats)
	}
	if want := []int64{1, 2}; !slices.Equal(k.places[:2], want) || k.places[len(k.places)-1] != 16 {
		t.Errorf("lines %v", k.places)
	}
}

// An endless reads head, then body again and again, then tail.
func endless(head, body, tail string, times int) io.Reader {
	all := []io.Reader{strings.NewReader(head)}
	for range times {
		all = append(all, strings.NewReader(body))
	}
	return io.MultiReader(append(all, strings.NewReader(tail))...)
}

// A large body is not held, whatever is large in it: its records, a text, a member nobody wants, its depth.
func TestMemoryIsBounded(t *testing.T) {
	head := `{"data":{"result":[{"stream":{"pod":"web-1"},"values":[`
	record := func(i int) string {
		return fmt.Sprintf(`["%d",%s],`, 1795197932000000000+i, jsonText(traceback(1)[i%3]))
	}
	sample := head
	for i := range 3000 {
		sample += record(i)
	}
	s, _ := Learn([]byte(sample))
	if s == nil {
		t.Fatal("no export")
	}
	var block strings.Builder
	for i := range 10_000 {
		block.WriteString(record(i))
	}
	const size = 24 << 20
	for name, in := range map[string]io.Reader{
		"records":        endless(sample, block.String(), `["1795197932000000000",""]]}]}}`, size/block.Len()),
		"a text":         endless(sample+`["1795197932000000000","`, strings.Repeat("x", 1<<20), `"]]}]}}`, 24),
		"a member":       endless(head[:len(head)-1]+`["`, strings.Repeat("x", 1<<20), `"]]}]}}`, 24),
		"depth":          endless(sample, strings.Repeat("[", 1<<20), "", 24),
		"objects":        endless(sample, strings.Repeat(`{"a":`, 1<<18), "", 12),
		"groups":         endless(`{"data":{"result":[`, strings.Repeat(`{"stream":{"pod":"a"},"values":[["1795197932000000000","x"]]},`, 1<<14), "]}}", 12),
		"keys":           endless(sample[:len(sample)-1]+`],"`, strings.Repeat("k", 1<<20), `":1}]}}`, 24),
		"no end in text": endless(sample+`["1795197932000000000","`, strings.Repeat("x", 1<<20), "", 24),
	} {
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		weighed := &weigher{in: in}
		stats, err := s.read(context.Background(), weighed, &taker{bytes: 1 << 20}, 4<<20)
		if err != nil || weighed.most > before.HeapAlloc+20<<20 {
			t.Errorf("%s: %v, %d MiB more, %+v", name, err, (weighed.most-before.HeapAlloc)>>20, stats)
		}
	}
}

// A weigher notes how much memory is live, at most, while it is read: not what the collector has not come to yet.
type weigher struct {
	in         io.Reader
	read, next int
	most       uint64
}

func (w *weigher) Read(p []byte) (int, error) {
	if w.read >= w.next {
		w.next = w.read + 1<<20
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		w.most = max(w.most, now.HeapAlloc)
	}
	n, err := w.in.Read(p)
	w.read += n
	return n, err
}

func FuzzRead(f *testing.F) {
	lines := traceback(3)
	f.Add([]byte(flatLines(lines, stamped)))
	f.Add([]byte(`{"data":{"result":[{"stream":{"pod":"a"},"values":[["1795197932000000000","goroutine 1 [select]:"],["1795197932000000001","\t/a.go:1 +0x1"]]}]}}`))
	f.Add([]byte(`{"results":[[{"field":"@timestamp","value":"2026-11-21 02:14:10.075"},{"field":"@message","value":"goroutine 1 [select]:\nmain.f()\n\t/a.go:7"}]]}`))
	f.Add([]byte("_raw,_time\n\"goroutine 1 [select]:\nmain.f()\n\t/src/a.go:7 \"\"x\"\"\",2026-11-21T02:14:10Z\nb,c\n"))
	f.Add([]byte("\r\n{\"a\":1}\n"))
	f.Add([]byte("[{\"a\":\"\\ud83d\\ude00 goroutine 1 [x]:\",\"t\":1795197932},\n{\"a\":\"\\t/a.go:1\"}]\nstray\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := Learn(data)
		if s == nil {
			return
		}
		k := &taker{}
		stats, err := s.read(context.Background(), bytes.NewReader(data), k, 200)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Records != int64(len(k.texts)+stats.LeftOut) || k.bytes > 3*len(data) {
			t.Fatalf("%d texts of %d bytes: %+v", len(k.texts), k.bytes, stats)
		}
		for _, at := range k.places {
			if at < 1 || at > int64(bytes.Count(data, newline))+1 {
				t.Fatalf("a record at line %d", at)
			}
		}
	})
}
