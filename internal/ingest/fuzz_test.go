package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

func FuzzRead(f *testing.F) {
	dump := sampleDump(2)
	for _, prefix := range []string{
		"", zulu + " stderr F ", zulu + " ", "[pod/web-1/app] ", "web-756cd-x4gm6 app ", "web-1  | ", "Nov 20 18:05:32 node1 kubelet[118528]: ",
		"<11>Nov 20 18:05:32 app[7]: ", "<165>1 2026-11-20T18:05:32.123Z node1 app 7 ID47 - ", "I1120 18:05:32.123456       1 dump.go:77] ",
		"> ", "> > ", "[00121.386] 05209.05460> ", "[  83.123456][ T1234] ", "[2026-11-20T18:05:32.123Z] ", "\x1b_bk;t=1795197932123\x07",
	} {
		f.Add([]byte(prefix+strings.Join(dump, "\n"+prefix)), uint8(0))
	}
	for _, record := range []string{
		`{"log":%s,"stream":"stderr","time":"` + zulu + `"}`, `{"MESSAGE":%s,"_PID":"7"}`, `{"Action":"output","Package":"p","Output":%s}`,
		`{"labels":{"pod":"web-1"},"line":%s}`, `{"insertId":"x","textPayload":%s}`,
	} {
		var in strings.Builder
		for _, l := range dump {
			fmt.Fprintf(&in, record+"\n", quoted(l+"\n"))
		}
		f.Add([]byte(in.String()), uint8(0))
	}
	record := `{"level":"error","msg":"m","stacktrace":` + quoted(block()) + `}`
	f.Add([]byte(record), uint8(3))
	f.Add([]byte(`{"log":`+quoted(record)+`,"stream":"stderr","time":"x"}`), uint8(1))
	f.Add(gzipped(f, []byte(record)), uint8(0))
	f.Add(sampleProfile(), uint8(0))
	f.Add([]byte("\xff\xfea\x00\n\x00\x3d\xd8\x00\xde"), uint8(1))
	f.Add([]byte(`x="goroutine 1\ud83d\u00"},goroutine 2`), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		open := func() (io.ReadCloser, error) {
			if piece == 0 {
				return io.NopCloser(bytes.NewReader(data)), nil
			}
			return io.NopCloser(&pieces{data, int(piece)}), nil
		}
		last := make(map[int32]int64)
		var size, lines int64
		res, err := Read(context.Background(), Source{Parts: []Part{{Path: "x", Open: open}}}, Handler{Lines: func(batch []Line) error {
			for i := range batch {
				l := &batch[i]
				if l.Num < 1 || l.Num < last[l.Stream] {
					t.Fatalf("line %d of stream %d after %d", l.Num, l.Stream, last[l.Stream])
				}
				if bytes.IndexByte(l.Text, '\n') >= 0 && bytes.IndexByte(data, '\\') < 0 {
					t.Fatalf("a line end within %q", l.Text)
				}
				last[l.Stream] = l.Num
				size += int64(len(l.Text))
				lines++
			}
			return nil
		}, Blob: func(Kind, []byte) error { return nil }}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := res.Parts[0]
		for stream, num := range last {
			if int(stream) >= len(res.Streams) || num > p.Lines {
				t.Fatalf("stream %d, line %d: %+v", stream, num, res)
			}
		}
		// An escape of one byte (\xff) in UTF-8 grows at most threefold; an introduction repeats what it quotes.
		if size > 4*p.Bytes+64 {
			t.Fatalf("%d bytes of text out of %d", size, p.Bytes)
		}
	})
}
