package triage_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// dumpsDir holds the dumps of testdata/gen's programs and MANIFEST.tsv, which has the headers of each in its sixth
// column, counted without a parser: "-" where the format has none.
const dumpsDir = "../testdata/dumps"

// miscounted is a kind whose lines do not hold one header a goroutine: the panic's text holds what looks like one.
const miscounted = "multi-line"

func TestEveryGoroutineOfADumpIsCounted(t *testing.T) {
	f, err := os.Open(filepath.Join(dumpsDir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	dumps := captures.Dumps(t, dumpsDir)
	for _, row := range rows[1:] {
		if row[5] == "-" || row[2] == miscounted {
			continue
		}
		file := filepath.Join(dumps, row[0])
		if strings.HasPrefix(row[0], "../") {
			file = filepath.Join(dumpsDir, row[0])
		}
		report, err := triage.Run(t.Context(), triage.Options{Inputs: []string{file}})
		if err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		n := 0
		for _, d := range report.Dumps {
			n += d.Goroutines * max(d.Seen, 1)
		}
		if strconv.Itoa(n) != row[5] {
			t.Errorf("%s: %d goroutines, its lines hold %s headers", row[0], n, row[5])
		}
	}
}
