package report

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

// hostileRow is a request whose names are chosen to harm the reader.
func hostileRow() *schema.Row {
	return &schema.Row{
		Time: 1772599200_000_000, User: "\x1b]0;owned\a\u202e", Agent: "=HYPERLINK(\"http://x\")", Verb: "update", Resource: "pods", Name: "-1+1\n2", Code: 200,
		In: 7, Out: 9, Compared: true, Changes: []schema.Change{{Path: "spec.x\r\n", Old: `"a"`, New: `"b"`}},
	}
}

func TestCSVIsNeitherAFormulaNorATerminalSequence(t *testing.T) {
	var b strings.Builder
	columns := []string{"user", "agent", "name", "version", "changed"}
	chosen, _ := ChooseColumns(columns)
	if err := AuditCSV(&b, []schema.Row{*hostileRow()}, chosen); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("%q: %v", b.String(), err)
	}
	want := []string{`\x1b]0;owned\a\u202e`, `'=HYPERLINK("http://x")`, `'-1+1\n2`, "7 -> 9", `spec.x\r\n: "a" -> "b"`}
	for i, w := range want {
		if lines[1][i] != w {
			t.Errorf("%s is %q, want %q", columns[i], lines[1][i], w)
		}
	}
}

func TestAColumnThatThereIsNotIsAnError(t *testing.T) {
	if _, err := ChooseColumns([]string{"time", "mood"}); err == nil || !strings.Contains(err.Error(), "mood") {
		t.Errorf("%v", err)
	}
}

func TestJSONLinesHoldEverythingOfARow(t *testing.T) {
	var b strings.Builder
	if err := AuditLines(&b, []schema.Row{*hostileRow(), *hostileRow()}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var rows [2]struct {
		Time    string
		DeltaMS *float64 `json:"delta_ms"`
		User    string
		In      uint64 `json:"version_in"`
		Changes []struct{ Path, Old, New string }
	}
	for i := range rows {
		if err := json.Unmarshal([]byte(lines[i]), &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if rows[0].Time != "2026-03-04T04:40:00Z" || rows[0].DeltaMS != nil || rows[1].DeltaMS == nil || *rows[1].DeltaMS != 0 || rows[0].In != 7 || rows[0].Changes[0].New != `"b"` {
		t.Errorf("%+v", rows)
	}
}

func TestATimelineStaysWithinItsWidth(t *testing.T) {
	row := hostileRow()
	row.Name = strings.Repeat("long-name-", 30)
	tl := &schema.Timeline{Report: &schema.Report{}, Rows: []schema.Row{*row, *row}, Matched: 5}
	var b strings.Builder
	columns, _ := ChooseColumns(DefaultAuditColumns(false))
	if err := AuditText(&b, tl, columns, TextOptions{Width: 170}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\a\r") {
		t.Errorf("%q", b.String())
	}
	for line := range strings.Lines(b.String()) {
		if width(strings.TrimSuffix(line, "\n")) > 170 {
			t.Errorf("too wide: %s", line)
		}
	}
	if !strings.Contains(b.String(), "5 requests, the first 2 of them") {
		t.Error("nothing says that rows are left out")
	}
}
