package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func TestEscape_ShowsWhatWouldActOrHide(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"main.(*T).run·dwrap·1":     "main.(*T).run·dwrap·1",
		`C:\go\src\main.go:7`:       `C:\go\src\main.go:7`,
		"\x1b[2J\x1b]0;x\x07":       `\x1b[2J\x1b]0;x\a`,
		"a\r\nb\tc\x00\x7f":         `a\r\nb\tc\x00\x7f`,
		"\u009b31m":                 `\u009b31m`,      // the one-character CSI
		"x\u202egpj.exe":            `x\u202egpj.exe`, // right-to-left override
		"\u2066a\u2069\u200e\u061c": `\u2066a\u2069\u200e\u061c`,
		"zero\u200bwidth\ufeff":     `zero\u200bwidth\ufeff`,
		"\u2028\u2029\u00a0":        `\u2028\u2029\u00a0`,
		"tag\U000e0041":             `tag\U000e0041`,
		"blank\u2800\u3164":         `blank\u2800\u3164`,
		"\xff\xfe é 世界 \xe4\xb8":    `\xff\xfe é 世界 \xe4\xb8`,
		"\ue000":                    `\ue000`,
		"e\u0301":                   "e\u0301",
	} {
		if got := report.Escape(in); got != want {
			t.Errorf("Escape(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzEscape: no control, format or broken character comes out, escaping twice changes nothing, and clean text stays.
func FuzzEscape(f *testing.F) {
	f.Add(nasty)
	f.Add("plain")
	f.Add("\xf0\x9f\x98\x80 \xc0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		got := report.Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid UTF-8: %q", got)
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r <= 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
				r == 0xfeff || r >= 0xe0000 && r <= 0xe007f {
				t.Fatalf("%U in %q", r, got)
			}
		}
		if again := report.Escape(got); again != got {
			t.Fatalf("%q became %q", got, again)
		}
	})
}

// FuzzText: a text report holds only line breaks beside what is printable, and ends, whatever the strings and the
// width.
func FuzzText(f *testing.F) {
	f.Add(nasty, 80)
	f.Add("goroutine 7 [select]: '\"\\", 1)
	f.Add("世界 a/b.(*T[...]).M.func1", 43)
	f.Fuzz(func(t *testing.T, s string, width int) {
		r := spinReport()
		fd := &r.Findings[0]
		fd.Title, fd.Why, fd.Next, fd.Culprit.Function = s, s, []rules.Step{{Command: s, Comment: s, Changes: width%2 == 0}}, s
		fd.Path[0].Function, fd.Path[1].File, fd.Evidence[0].Text = s, s, s
		r.Inputs[0].Path, r.Dumps[0].Reason, r.Dumps[0].Signal = s, s, ""
		r.Dumps[0].Runnable[1].Reason = s
		r.Skipped = []schema.Skipped{{Path: s, Reason: s, Hint: s}}
		for _, o := range []report.TextOptions{{Width: width % 300}, {Width: width % 300, All: true, ASCII: true}} {
			for line := range strings.SplitSeq(text(t, r, o), "\n") {
				if report.Escape(line) != line || strings.TrimRight(line, " ") != line {
					t.Errorf("unescaped, or ends in a space: %q", line)
				}
			}
		}
	})
}

func TestNoJSONHoldsWhatATerminalWouldActOn(t *testing.T) {
	hostile := "del\x7f c1\u009b bidi\u202e zero\u200b tag\U000e0041 \"quoted\" back\\slash \u2028"
	var out bytes.Buffer
	if err := report.Indented(&out, &schema.Listing{Files: []schema.Listed{{Path: hostile}}}); err != nil {
		t.Fatal(err)
	}
	row1 := schema.Row{Agent: hostile, Changes: []schema.Change{{Path: "a", New: hostile}}}
	if err := report.AuditLines(&out, []schema.Row{row1, row1}); err != nil {
		t.Fatal(err)
	}
	if shown := report.Escape(out.String()); strings.ReplaceAll(out.String(), "\n", `\n`) != shown {
		t.Fatalf("a terminal would act on it: %q", shown)
	}
	dec := json.NewDecoder(&out)
	var list schema.Listing
	if err := dec.Decode(&list); err != nil || list.Files[0].Path != hostile {
		t.Fatalf("%v: %q", err, list.Files[0].Path)
	}
	var row struct{ Agent string }
	if err := dec.Decode(&row); err != nil || row.Agent != hostile {
		t.Fatalf("%v: %q", err, row.Agent)
	}
}
