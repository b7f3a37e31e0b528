package triage

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
)

// BenchmarkJudgeAlike is what dumps of one stream cost that have the same stacks, behind their parsing: 50 processes
// of one program, whose goroutines have ids of their own.
func BenchmarkJudgeAlike(b *testing.B) {
	files, err := filepath.Glob("../testdata/pods/*/controller/*.log")
	if err != nil || len(files) == 0 {
		b.Fatalf("no dump: %v", err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		b.Fatal(err)
	}
	var log bytes.Buffer
	header := regexp.MustCompile(`(?m)^(.* |)goroutine (\d+) `)
	for i := range 50 {
		log.Write(header.ReplaceAllFunc(text, func(line []byte) []byte {
			m := header.FindSubmatch(line)
			id, _ := strconv.Atoi(string(m[2]))
			return append(append(append([]byte{}, m[1]...), "goroutine "...), strconv.Itoa(id+100_000*i)+" "...)
		}))
	}
	path := filepath.Join(b.TempDir(), "log")
	if err := os.WriteFile(path, log.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	o := Options{Inputs: []string{path}}
	batches, _ := sources.ReadAll(b.Context(), o.readOptions())
	book, err := LoadRules(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := schema.New("")
		pass := newPass(batches[0], book)
		completePasses([]*rules.Pass{pass}, book.Roles)
		o.fill(r, pass, applyRules(r, book, pass))
		if err := report.Text(io.Discard, r, report.TextOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(batches[0][0].Dumps)), "dumps")
}
