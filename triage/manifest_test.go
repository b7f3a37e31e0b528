package triage_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// dumpsDir holds the dumps of testdata/gen's programs and MANIFEST.tsv, which says of each what its program did.
const dumpsDir = "../testdata/dumps"

// A row is a line of the manifest: a dump, the program that left it and what it is guilty of.
type row struct {
	file, program, kind, version, format string
	goroutines                           int // headers counted without a parser, -1 where the format has none
	culprit, category                    string
	rule                                 string // what TestStuck wants to find it, separated by "|"; "" for the rows of TestManifest
}

func manifest(t *testing.T) []row {
	t.Helper()
	f, err := os.Open(filepath.Join(dumpsDir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	r.LazyQuotes = true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, rec := range records[1:] {
		n := -1
		if rec[5] != "-" {
			if n, err = strconv.Atoi(rec[5]); err != nil {
				t.Fatalf("%s: %v", rec[0], err)
			}
		}
		rows = append(rows, row{rec[0], rec[1], rec[2], rec[3], rec[4], n, rec[6], rec[7], rec[8]})
	}
	return rows
}

// A judged row is one with the engine's report on its file alone.
type judged struct {
	row
	report *schema.Report
}

func judgeAll(t *testing.T, wanted func(row) bool) []judged {
	t.Helper()
	var all []judged
	for _, r := range manifest(t) {
		if !wanted(r) {
			continue
		}
		rep, err := triage.Run(t.Context(), triage.Options{Inputs: []string{filepath.Join(dumpsDir, r.file)}})
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		steptest.CheckReport(t, rep)
		all = append(all, judged{r, rep})
	}
	return all
}

func TestManifest(t *testing.T) {
	all := judgeAll(t, func(r row) bool { return r.rule == "" })
	t.Run("every goroutine is counted", func(t *testing.T) { checkCounts(t, all) })
	t.Run("no innocent is accused", func(t *testing.T) { checkInnocents(t, all) })
	t.Run("the guilty are named first", func(t *testing.T) { checkGuilty(t, all) })
}

// A limit is something that a dump cannot show, so that a row of the manifest gets another answer than its program
// deserves, or none. Every row that fails otherwise fails the test, and so does a limit that no row needs.
type limit struct {
	programs, kinds string // separated by spaces; "" for all
	until           int    // the last minor version of Go, 0 for all
	culprits        string // functions that may be named instead, separated by spaces; "" means that nothing is found
	why             string
}

var spinLimits = []limit{
	{
		programs: "spin", kinds: "arith atomic-load bool cas select-default lock-poll generic-func after-poll", until: 18,
		why: "stacks before Go 1.19 leave the runtime's frames out: a runnable goroutine with its own function on top may just have been woken",
	}, {
		programs: "spin", kinds: "after-poll",
		why: "a poller with a timer parks between two looks, and is mostly caught parked",
	}, {
		programs: "spin", culprits: "main.start example.com/fixtures/spin/internal/intake.(*Drain).Start",
		why: "where the stack is unavailable only the creator is named",
	}, {
		programs: "spin", kinds: "lock-poll", culprits: "main.(*gate).isOpen",
		why: "the function nearest to the lock is named; nothing tells that the loop is in its caller",
	}, {
		programs: "cgo", kinds: "spin",
		why: "what C code does, computes or waits, no frame tells",
	},
}

var crashLimits = []limit{
	{
		programs: "crash", kinds: "stack-overflow", until: 20, culprits: "main.visitHarbor main.visitPier main.visitBerth",
		why: "before Go 1.21 a stack overflow shows the 100 innermost frames: which function of the cycle was the first, nobody knows",
	},
}

// stuckLimits are the programs that wait for each other, dumped when they were some seconds old.
var stuckLimits = []limit{
	{
		programs: "stuck", kinds: "abba double-lock read-under-lock reader-recursion send-under-lock",
		culprits: "main.(*account).deposit main.(*pool).refresh main.(*catalog).size main.(*board).publish",
		why:      "no header tells minutes: who holds the lock may let go in a moment, so that the right finding is of severity low",
	}, {
		programs: "stuck", kinds: "waitgroup",
		why: "whether somebody will call Done, no stack tells",
	},
}

// miscounted are kinds whose lines do not hold one header a goroutine.
var miscounted = map[string]string{
	"multi-line": "the panic's text holds what looks like a header",
}

// of reports whether the limit is about a row.
func (l *limit) of(r row) bool {
	minor, err := strconv.Atoi(strings.Split(r.version, ".")[1])
	return among(r.program, l.programs) && among(r.kind, l.kinds) && (l.until == 0 || err == nil && minor <= l.until)
}

func among(word, words string) bool {
	return words == "" || slices.Contains(strings.Fields(words), word)
}

// allows reports whether the limit explains what was found instead.
func (l *limit) allows(fs []rules.Finding) bool {
	if len(fs) == 0 || l.culprits == "" {
		return len(fs) == 0 && l.culprits == ""
	}
	return among(cmp.Or(fs[0].Culprit.Function, "-"), l.culprits)
}

func checkCounts(t *testing.T, rows []judged) {
	for _, r := range rows {
		if r.goroutines < 0 || miscounted[r.kind] != "" {
			continue
		}
		n := 0
		for _, d := range r.report.Dumps {
			n += d.Goroutines * max(d.Seen, 1)
		}
		if n != r.goroutines {
			t.Errorf("%s: %d goroutines, its lines hold %d headers", r.file, n, r.goroutines)
		}
	}
}

func checkInnocents(t *testing.T, rows []judged) {
	for _, r := range rows {
		if r.category != "none" {
			continue
		}
		for _, f := range r.report.Findings {
			if f.Severity.Rank() <= rules.Low.Rank() {
				continue
			}
			t.Errorf("%s: %s (%s)", r.file, f.Title, f.Rule)
		}
	}
}

func checkGuilty(t *testing.T, rows []judged) {
	all := slices.Concat(spinLimits, crashLimits, stuckLimits)
	needed := make([]bool, len(all))
	for _, r := range rows {
		if r.category == "none" || r.category == "any" {
			continue
		}
		fs := r.report.Findings
		complaint := r.complaint(fs)
		if complaint == "" {
			continue
		}
		i := slices.IndexFunc(all, func(l limit) bool { return l.of(r.row) && l.allows(fs) })
		if i < 0 {
			t.Errorf("%s: %s", r.file, complaint)
			continue
		}
		needed[i] = true
	}
	for i, l := range all {
		if !needed[i] {
			t.Errorf("no row of the manifest needs the limit of %q %q: %s", l.programs, l.kinds, l.why)
		}
	}
}

// complaint says what is wrong with the first finding; "" for nothing.
func (r row) complaint(fs []rules.Finding) string {
	if len(fs) == 0 {
		return "nothing found, want " + r.category + " " + r.culprit
	}
	f := fs[0]
	least := rules.Medium
	switch r.category {
	case "spin", "crash", "race", "deadlock":
		least = rules.High // the process is lost or of no use
	}
	culprit := cmp.Or(f.Culprit.Function, "-")
	if string(f.Category) != r.category || r.culprit != "" && culprit != r.culprit || f.Severity.Rank() < least.Rank() {
		return fmt.Sprintf("%s: %s %s %s, want %s %s", f.Rule, f.Severity, f.Category, culprit, r.category, r.culprit)
	}
	return ""
}
