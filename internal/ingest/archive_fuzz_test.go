package ingest

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
)

// FuzzArchive walks anything as an archive: what comes out stays within its limits and below the archive, whatever lies
// in it.
func FuzzArchive(f *testing.F) {
	logs := []member{{name: "a/0.log", content: "x\n"}, {name: "a/0.log.20260304-050607.gz", content: string(gzipped(f, []byte("y\n")))}, {name: "../b", content: "goroutine 1 [running]:\n"}}
	inner := zipOf(f, logs...)
	f.Add(inner)
	f.Add(tarOf(f, logs...))
	f.Add(gzipped(f, tarOf(f, append(logs, member{name: "n.zip", content: string(inner)}, member{name: "l", kind: '2', link: "a/0.log"})...)))
	f.Add(zipOf(f, member{name: "n.tar", content: string(tarOf(f, logs...)), store: true}, member{name: "n.zip", content: string(inner), store: true}))
	f.Add(xzipped(f, tarOf(f, logs[0])))
	f.Add(zstded(f, tarOf(f, logs[0])))
	limits := Limits{MaxBlob: 1 << 20, MaxExpanded: 8 << 20, MaxFile: 4 << 20, MaxEntries: 100, MaxMemory: 1 << 20, MaxTemp: -1, MaxDepth: 4, MaxLine: 1 << 16}
	f.Fuzz(func(t *testing.T, data []byte) {
		var mu sync.Mutex
		var total int64
		sources := 0
		o := Options{Stdin: strings.NewReader(string(data)), Limits: limits}
		skips := Walk(context.Background(), []string{"-"}, o, func(s Source) {
			res, err := Read(context.Background(), s, Handler{
				Blob: func(Kind, []byte) error { return nil },
				Stream: func(_ Kind, _ StreamPart, r io.Reader) error {
					_, err := io.CopyN(io.Discard, r, 100)
					_ = err
					return nil
				},
			}, o)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			sources++
			for _, p := range res.Parts {
				total += p.Bytes
			}
			for _, p := range s.Parts {
				for _, name := range strings.Split(p.Path, InsideArchive)[1:] {
					if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../") || strings.Contains(name, "/../") || strings.ContainsAny(name, "\x00\n\x1b\\") {
						t.Errorf("%q leads out of the archive, or to the terminal", p.Path)
					}
				}
			}
		})
		if sources+len(skips) == 0 {
			t.Error("neither read nor skipped")
		}
		if total > limits.MaxExpanded || sources > limits.MaxEntries {
			t.Errorf("%d bytes of %d sources", total, sources)
		}
	})
}
