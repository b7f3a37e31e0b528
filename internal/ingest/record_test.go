package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func texts(lines []got) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out
}

// block is a dump's text without what no program would put into one log record.
func block() string { return strings.Join(sampleDump(3)[3:], "\n") }

type longLine struct {
	head, body, tail string
	repeat           int
	now              string
	stage            int
}

func (l *longLine) Read(p []byte) (int, error) {
	for l.now == "" {
		switch {
		case l.stage == 0:
			l.now, l.stage = l.head, 1
		case l.stage == 1 && l.repeat > 0:
			l.repeat--
			l.now = l.body
		case l.stage == 1:
			l.now, l.stage = l.tail, 2
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, l.now)
	l.now = l.now[n:]
	return n, nil
}

// A hugeRecord is head, many times body, and tail; the last line is "end".
type hugeRecord struct {
	name             string
	head, body, tail string
	per              int   // goroutines in a body
	lines            int64 // of the input, 0 for any
}

func TestARecordOf32MiBIsStreamedInLessThanHalfOfThat(t *testing.T) {
	const perBody = 500
	g := "goroutine 7 [select]:\nmain.(*T).run(0xc000123456, 0x1)\n\t/src/main.go:7 +0x1f\ncreated by main.main in goroutine 1\n\t/src/main.go:70 +0x38c\n\n"
	g = strings.Repeat(g, perBody)
	once := strings.Trim(quoted(g), `"`)
	twice := strings.Trim(quoted(once), `"`)
	const size = 32 << 20
	var cri strings.Builder // one chunk of P pieces
	for cri.Len() < 1<<20 {
		fmt.Fprintf(&cri, "%s stderr P %s\n", zulu, once[:len(once)/perBody*50])
	}
	for _, c := range []hugeRecord{
		{"JSON", `{"msg":"m","stack":"`, once, "\",\"x\":1}\nend\n", perBody, 2},
		{"text", `level=error msg="m" stack="`, once, "\"\nend\n", perBody, 2},
		{"JSON in JSON", `{"log":"{\"msg\":\"m\",\"stack\":\"`, twice, `\"}\n","stream":"stderr","time":"x"}` + "\nend\n", perBody, 2},
		{"CRI pieces", zulu + " stderr P " + `{"msg":"m","stack":"` + "\n", cri.String(), zulu + " stderr F \"}\n" + zulu + " stderr F end\n", 50 * strings.Count(cri.String(), "\n"), 0},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, size) })
	}
}

func (c *hugeRecord) check(t *testing.T, size int) {
	repeat := size / len(c.body)
	src := Source{Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(&longLine{head: c.head, body: c.body, tail: c.tail, repeat: repeat}), nil
	}}}}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	goroutines, batches, last := 0, 0, ""
	var heap uint64
	res, err := Read(context.Background(), src, Handler{Lines: func(batch []Line) error {
		for _, l := range batch {
			if bytes.HasPrefix(l.Text, []byte("goroutine 7 [select]:")) {
				goroutines++
			}
			last = string(l.Text)
		}
		if batches++; batches%1000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			heap = max(heap, now.HeapAlloc)
		}
		return nil
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := repeat * c.per; goroutines != want {
		t.Errorf("%d goroutines, want %d", goroutines, want)
	}
	if last != "end" {
		t.Errorf("last line %.100q, want %q", last, "end")
	}
	if p := res.Parts[0]; p.CutLines != 0 || c.lines != 0 && p.Lines != c.lines {
		t.Errorf("%+v", p)
	}
	if heap > before.HeapAlloc+uint64(size/2) {
		t.Errorf("%d MiB held", (heap-before.HeapAlloc)>>20)
	}
}

func TestALineOf64MiBIsCutAndCounted(t *testing.T) {
	for _, head := range []string{"", zulu + " stderr F ", "[pod/p/c] "} {
		src := Source{Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(&longLine{head: "first\n" + head, body: strings.Repeat("x", 1<<16), tail: "\nlast", repeat: 1 << 10}), nil
		}}}}
		var lens []int
		var nums []int64
		res, err := Read(context.Background(), src, Handler{Lines: func(batch []Line) error {
			for _, l := range batch {
				lens, nums = append(lens, len(l.Text)), append(nums, l.Num)
			}
			return nil
		}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{5, (4 << 20), 4}, lens); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]int64{1, 2, 3}, nums); diff != "" {
			t.Error(diff)
		}
		if p := res.Parts[0]; p.CutLines != 1 || p.Lines != 3 {
			t.Errorf("%+v", p)
		}
	}
}
