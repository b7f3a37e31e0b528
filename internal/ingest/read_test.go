package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A got is one line that Read handed over.
type got struct {
	Text, Stream, Stamp string
	Num                 int64
}

// readBytes reads data as one file, in pieces of the given size (0: all at once).
func readBytes(t testing.TB, data []byte, piece int) ([]got, *Result) {
	t.Helper()
	return readParts(t, piece, data)
}

func readParts(t testing.TB, piece int, parts ...[]byte) ([]got, *Result) {
	t.Helper()
	src := Source{Origin: Origin{Restart: -1}}
	for i, data := range parts {
		src.Parts = append(src.Parts, Part{Path: fmt.Sprintf("part%d", i), Open: func() (io.ReadCloser, error) {
			var r io.Reader = bytes.NewReader(data)
			if piece > 0 {
				r = &pieces{data, piece}
			}
			return io.NopCloser(r), nil
		}})
	}
	var lines []Line
	res, err := Read(context.Background(), src, Handler{Lines: func(batch []Line) error {
		for _, l := range batch {
			l.Text, l.Stamp = bytes.Clone(l.Text), bytes.Clone(l.Stamp)
			lines = append(lines, l)
		}
		return nil
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]got, len(lines))
	for i, l := range lines {
		out[i] = got{string(l.Text), res.Streams[l.Stream].Name, string(l.Stamp), l.Num}
	}
	return out, res
}

// pieces hands its data out n bytes at a time.
type pieces struct {
	data []byte
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.data)
	p.data = p.data[n:]
	return n, nil
}

const zulu = "2026-11-20T18:05:32.123460341Z"

func quoted(s string) string {
	q, err := jsonString(s)
	if err != nil {
		panic(err)
	}
	return q
}

// jsonString quotes s as docker and zap do: without escaping <, > and &.
func jsonString(s string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}
