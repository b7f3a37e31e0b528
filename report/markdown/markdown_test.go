package markdown_test

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gotriage/triage/report/markdown"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// hostile is text that tries to be markup, a link, a mention and the end of a block.
const hostile = "```\n</details> <img src=x> [a](http://evil.example) @everyone www.evil.example **b** | `c` ![d](e) #1 \x1b[31m\u202e"

func read(t *testing.T, name string) *triage.Report {
	t.Helper()
	r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{filepath.Join("..", "..", "testdata", name)}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, r *triage.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := markdown.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAReportHasItsHeadlineEvidenceFixAndFoldedDetails(t *testing.T) {
	text := write(t, read(t, "dumps/go1.26/stuck-abba.txt"))
	for _, want := range []string{
		"### triage: main.(\\*account).deposit has two goroutines", "**HIGH** ",
		"goroutine 8 [sync.Mutex.Lock] in main.(*account).deposit",
		"**Why** ", "**Fix** ", "> main.(*account).deposit  main.go:88", "<details><summary>The whole report</summary>\n\n```text\n",
		"\nchecked ", "```sh\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}

// codeSpan matches one of a word, which no escaped backtick begins.
var codeSpan = regexp.MustCompile("``.+?``|(?:^|[^\\\\`])`[^ `]+`")

// Package injections of tools renders what strangers write.
func TestTextOfTheInputsIsNoMarkup(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	f := &r.Findings[0]
	f.Title, f.Why, f.Fix, f.Culprit.File = hostile, hostile, hostile, hostile
	f.Evidence[0].Text, f.Evidence[0].Input, f.Path[0].Function = hostile, hostile, hostile
	f.Next = []rules.Step{{Command: hostile, Comment: hostile}}
	r.Findings = append(r.Findings, *f, *f, *f, *f)
	r.Skipped = []schema.Skipped{{Path: hostile, Reason: hostile}}
	r.Pods = []schema.Pod{{Pod: hostile, State: hostile}}
	text := write(t, r)
	open := 0
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			switch {
			case fence == "":
				fence = ticks
				continue
			case len(ticks) >= len(fence) && line == ticks:
				fence = ""
				continue
			}
		}
		if fence != "" {
			continue
		}
		open += strings.Count(line, "<details>") - strings.Count(line, "</details>")
		for _, bad := range []string{"<img", "a](http", "@everyone", "://", "www.evil", " **b**"} {
			if strings.Contains(codeSpan.ReplaceAllString(line, ""), bad) {
				t.Errorf("%q is markup in: %s", bad, line)
			}
		}
	}
	if open != 0 || fence != "" {
		t.Errorf("%d folds are open, fence %q", open, fence)
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("the text holds what a terminal acts on")
	}
}

func TestALongReportIsCutByPartsAndSaysSo(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	r.Findings[0].Why = strings.Repeat("a long reason ", 5000)
	text := write(t, r)
	if len(text) > markdown.MaxBytes || !strings.Contains(text, "1 part left out") || strings.Contains(text, "**Why**") {
		t.Errorf("%d bytes, which end in %q", len(text), text[len(text)-200:])
	}
	if !strings.Contains(text, "**Fix**") {
		t.Error("what fits behind the part is missing")
	}
}

func TestAComparisonSaysWhatIsNewAndWhatIsGone(t *testing.T) {
	at := func(name string) []string { return []string{filepath.Join("..", "..", "testdata", name)} }
	r, err := triage.Compare(context.Background(), at("dumps/go1.26/stuck-abba.txt"), at("dumps/go1.26/spin-gosched.txt"), triage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, r)
	for _, want := range []string{"### triage diff: new: ", "\nGONE  1 finding that only BEFORE has", "\nONLY AFTER  "} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}

func TestAListMarkerIsEscapedOnlyAtTheBeginningOfALine(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	r.Findings[0].Why = "code = NotFound in 67. - done"
	if text := write(t, r); !strings.Contains(text, "**Why** code = NotFound in 67. - done") {
		t.Error(text)
	}
}
