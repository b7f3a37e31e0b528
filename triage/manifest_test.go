package triage_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// dumpsDir holds the dumps of testdata/gen's programs and a list of them, which has the headers of each, counted
// without a parser: "-" where the format has none.
const dumpsDir = "../testdata/dumps"

// miscounted is a kind whose lines do not hold one header a goroutine: the panic's text holds what looks like one.
const miscounted = "crash/multi-line"

func TestEveryGoroutineOfADumpIsCounted(t *testing.T) {
	cases, err := captures.ReadCases(filepath.Join(dumpsDir, "all.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dumps := captures.Dumps(t, dumpsDir)
	for _, c := range cases {
		headers := c.About["goroutines"]
		if headers == "-" || c.Program == miscounted {
			continue
		}
		file := filepath.Join(dumps, c.Name)
		if strings.HasPrefix(c.Name, "../") {
			file = filepath.Join(dumpsDir, c.Name)
		}
		report, err := triage.Run(t.Context(), triage.Options{Inputs: []string{file}})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		n := 0
		for _, d := range report.Dumps {
			n += d.Goroutines * max(d.Seen, 1)
		}
		if strconv.Itoa(n) != headers {
			t.Errorf("%s: %d goroutines, its lines hold %s headers", c.Name, n, headers)
		}
	}
}
