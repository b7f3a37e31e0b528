package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"testing"
)

// sampleDump writes the text of a dump of n goroutines: the shape of a signal's, made here.
func sampleDump(n int) []string {
	lines := []string{"SIGQUIT: quit", "PC=0x490ba1 m=0 sigcode=0", ""}
	for i := range n {
		lines = append(lines,
			fmt.Sprintf("goroutine %d gp=0xc0000%05x m=nil [chan receive, %d minutes]:", i+1, i, i%60),
			"runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)",
			"\t/usr/local/go/src/runtime/proc.go:462 +0xce fp=0x2e71f0598700 sp=0x2e71f05986e0 pc=0x487aae",
			fmt.Sprintf("example.com/platform/fleet/vendor/example.org/informers/cache.(*Reflector).watch(0xc%09x, {0x2d52b8e, 0xb}, {0x0, 0x0}, 0xc000a1b2c0)", i*64),
			fmt.Sprintf("\t/go/src/example.com/platform/fleet/vendor/example.org/informers/cache/reflector.go:%d +0x1ca fp=0x2e71f05a6fb8 sp=0x2e71f05a6f88 pc=0x417577", 100+i%7),
			"created by example.com/platform/fleet/vendor/example.org/informers/cache.(*Reflector).Run in goroutine 1",
			"\t/go/src/example.com/platform/fleet/vendor/example.org/informers/cache/reflector.go:261 +0x25",
			"")
	}
	return append(lines, "rax    0xca", "rip    0x490ba1", "exit status 2")
}

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func memorySource(data []byte) Source {
	return Source{Parts: []Part{{Path: "bench", Open: func() (io.ReadCloser, error) { return memory{bytes.NewReader(data)}, nil }}}}
}

func benchmarkRead(b *testing.B, data []byte) {
	for int64(len(data)) < 32<<20 {
		data = append(data, data...)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var lines, bytes int64
	for b.Loop() {
		_, err := Read(context.Background(), memorySource(data), Handler{Lines: func(batch []Line) error {
			lines += int64(len(batch))
			bytes += int64(len(batch[0].Text))
			return nil
		}}, Options{})
		if err != nil {
			b.Fatal(err)
		}
	}
	if lines == 0 {
		b.Fatal("no lines")
	}
	b.ReportMetric(float64(lines)/float64(b.N), "lines/op")
}

func joined(lines []string, frame func(i int, s string) string) []byte {
	var out bytes.Buffer
	for i, l := range lines {
		out.WriteString(frame(i, l))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func benchStamp(i int) string {
	return fmt.Sprintf("2026-11-20T18:%02d:%02d.%dZ", i/60%60, i%60, 100000000+i)
}

func BenchmarkReadPlain(b *testing.B) {
	benchmarkRead(b, joined(sampleDump(5000), func(_ int, s string) string { return s }))
}

func BenchmarkReadCRI(b *testing.B) {
	benchmarkRead(b, joined(sampleDump(5000), func(i int, s string) string { return benchStamp(i) + " stderr F " + s }))
}

func BenchmarkReadDockerJSON(b *testing.B) {
	benchmarkRead(b, joined(sampleDump(5000), func(i int, s string) string {
		q, _ := jsonString(s + "\n")
		return `{"log":` + q + `,"stream":"stderr","time":"` + benchStamp(i) + `"}`
	}))
}

func BenchmarkReadKubectlTimestamps(b *testing.B) {
	benchmarkRead(b, joined(sampleDump(5000), func(i int, s string) string { return benchStamp(i) + " " + s }))
}

func BenchmarkReadEscapedJSON(b *testing.B) {
	dump := joined(sampleDump(40), func(_ int, s string) string { return s })
	q, _ := jsonString(string(dump))
	benchmarkRead(b, []byte(`{"level":"error","ts":1795197932.1,"msg":"dump","stacktrace":`+q+"}\n"))
}

func BenchmarkReadJSONLog(b *testing.B) {
	benchmarkRead(b, joined(make([]string, 5000), func(i int, _ string) string {
		return `{"level":"info","ts":"2026-03-04T05:02:27Z","logger":"reconciler","msg":"reconciled","object":"fleet-default/cluster-` + strconv.Itoa(i) + `","took":"84ms"}`
	}))
}

// benchmarkWalk walks an archive of logs as a bundle has them and reads every line of it.
func benchmarkWalk(b *testing.B, pack func(testing.TB, ...member) []byte, compress func(testing.TB, []byte) []byte) {
	text := string(joined(sampleDump(5000), func(i int, s string) string { return benchStamp(i) + " " + s }))
	var members []member
	size := int64(0)
	for i := range 24 {
		members = append(members, member{name: fmt.Sprintf("b/logs/ns/pod-%d/app.log", i), content: text})
		size += int64(len(text))
		for j := range 40 {
			members = append(members, member{name: fmt.Sprintf("b/yamls/%d/%d.yaml", i, j), content: "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n"})
		}
	}
	data := pack(b, members...)
	if compress != nil {
		data = compress(b, data)
	}
	path := written(b, "bundle", data)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		var lines atomic.Int64
		Walk(context.Background(), []string{path}, Options{}, func(s Source) {
			_, err := Read(context.Background(), s, Handler{
				Lines:  func(batch []Line) error { lines.Add(int64(len(batch))); return nil },
				Stream: func(_ Kind, _ StreamPart, r io.Reader) error { _, err := io.Copy(io.Discard, r); return err },
			}, Options{})
			if err != nil {
				b.Error(err)
			}
		})
		if lines.Load() != 24*int64(len(sampleDump(5000))) {
			b.Fatal("lines are missing")
		}
	}
}

func BenchmarkWalkZip(b *testing.B) { benchmarkWalk(b, zipOf, nil) }

func BenchmarkWalkTar(b *testing.B) { benchmarkWalk(b, tarOf, nil) }

func BenchmarkWalkTarGzip(b *testing.B) { benchmarkWalk(b, tarOf, gzipped) }

func BenchmarkWalkTarZstd(b *testing.B) { benchmarkWalk(b, tarOf, zstded) }

func BenchmarkWalkTarXz(b *testing.B) { benchmarkWalk(b, tarOf, xzipped) }
