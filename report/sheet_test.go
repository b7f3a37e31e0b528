package report_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Twenty reports as they were before headlines named the line and sections beside a culprit were short, and the page
// that compares them with those of today.
const (
	sheetBefore = "testdata/before.tsv" // what they were, at 80 columns; it stays as it is
	sheetPage   = "../docs/reports-before-after.md"
)

const sheetIntroduction = `# Twenty reports, before and after

What 20 inputs of testdata print at 80 columns: before, when the verdict left out what did not fit on its line and each
report ended with what was not found, and now. Counted are all lines of the report, and those after the last finding.
The columns of today are written by a test:

    go test ./report -run Sheet -update

`

func TestSheetOfReportsIsFresh(t *testing.T) {
	byName := map[string]*fixtureReport{}
	for _, r := range everyFixture(t) {
		byName[r.name] = r
	}
	f, err := os.Open(sheetBefore)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader := csv.NewReader(f)
	reader.Comma, reader.LazyQuotes = '\t', true
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatalf("reading %s: %v", sheetBefore, err)
	}
	page := sheet(t, rows[1:], byName)
	if *update {
		if err := os.WriteFile(sheetPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(sheetPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Errorf("%s is stale: go test ./report -run Sheet -update", sheetPage)
	}
}

// sheet is the page: a table of lines, then the verdicts.
func sheet(t *testing.T, before [][]string, now map[string]*fixtureReport) string {
	var table, verdicts strings.Builder
	sum := map[string]int{}
	for _, row := range before {
		r := now[row[0]]
		if r == nil {
			t.Fatalf("%s is no fixture", row[0])
		}
		lines, after := number(t, row[1]), number(t, row[2])
		fmt.Fprintf(&table, "| `%s` | %d | %d | %d | %d | %d |\n", row[0], lines, len(r.lines(80)),
			lines-len(r.lines(80)), after, r.afterLastFinding(80))
		sum["lines"] += lines
		sum["lines now"] += len(r.lines(80))
		sum["after"] += after
		sum["after now"] += r.afterLastFinding(80)
		fmt.Fprintf(&verdicts, "\n`%s`\n\n```\nbefore  %s\nnow     %s\n```\n", row[0], row[3], r.headline(80))
	}
	return sheetIntroduction + "| input | lines before | now | saved | after the last finding, before | now |\n" +
		"|---|---:|---:|---:|---:|---:|\n" + table.String() +
		fmt.Sprintf("| all | %d | %d | %d | %d | %d |\n", sum["lines"], sum["lines now"], sum["lines"]-sum["lines now"],
			sum["after"], sum["after now"]) +
		"\n## The verdicts\n" + verdicts.String()
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
