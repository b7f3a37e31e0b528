// Package markdown renders a triage.Report for an issue, a chat or a pull request: the headline, the findings with
// their evidence and fix, and folded details, under MaxBytes. Texts of the inputs are data: they form no markup, no
// link and no mention of a user.
package markdown

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// MaxBytes bounds the text: GitHub takes 65,536 characters for an issue or a comment.
const MaxBytes = 60_000

const (
	fullFindings = 3
	maxEvidence  = 6
)

// Write writes r. r is not changed. The error is the writer's.
func Write(w io.Writer, r *schema.Report) error {
	b := &builder{names: report.InputNames(r)}
	if err := b.report(r); err != nil {
		return err
	}
	if _, err := io.WriteString(w, b.text.String()); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

// A builder writes blocks, and leaves out those that no longer fit.
type builder struct {
	text  strings.Builder
	names report.Names
	cut   int // blocks that were left out
}

// reserve is kept for the line that counts what was left out.
const reserve = 200

// block writes a block with an empty line behind it, where it fits.
func (b *builder) block(s string) {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return
	}
	if b.text.Len()+len(s)+2 > MaxBytes-reserve {
		b.cut++
		return
	}
	b.text.WriteString(s + "\n\n")
}

// report writes the headline, what leads the report in full, and the report as text below a fold.
func (b *builder) report(r *schema.Report) error {
	name, found := "triage", r.Found()
	if r.Diff != nil {
		name = "triage diff"
	}
	b.block("### " + name + ": " + plain(report.Headline(r)))
	for _, l := range report.Suspects(r) {
		b.suspect(l)
	}
	for i := range found[:min(len(found), fullFindings)] {
		b.finding(&found[i])
	}
	for _, a := range report.Asides(r) {
		text := "**" + a.Name + "** " + plain(a.Text)
		for _, row := range a.Rows[:min(len(a.Rows), maxEvidence)] {
			text += "\n- " + plain(row)
		}
		b.block(text)
	}
	var text bytes.Buffer
	if err := report.Text(&text, r, report.TextOptions{}); err != nil {
		return err
	}
	b.details("The whole report", strings.Split(strings.TrimRight(text.String(), "\n"), "\n"))
	b.end()
	return nil
}

// end counts what was left out.
func (b *builder) end() {
	if b.cut > 0 {
		b.text.WriteString("*" + phrase.Count(b.cut, "part") + " left out: the text would be too long for an issue. " +
			"`triage -o html` contains everything.*\n")
	}
}

// finding writes one in full.
func (b *builder) finding(f *rules.Finding) {
	head := "**" + strings.ToUpper(string(f.Severity)) + "** " + plain(report.Title(f))
	if at := place(f.Culprit.File, f.Culprit.Line); at != "" && !strings.Contains(f.Title, at) {
		head += " (" + code(at) + ")"
	}
	b.block(head + "  \n" + plain(fmt.Sprintf("%s (%s), %s, confidence %s", f.Name, f.Rule, f.Category, f.Confidence)))
	var lines []string
	for _, e := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		lines = append(lines, report.Escape(e.Text)+"    "+b.at(e.Input, e.Line))
	}
	if n := len(f.Evidence) - len(lines); n > 0 {
		lines = append(lines, "+"+phrase.Number(n)+" more like it")
	}
	b.block(fence("text", lines))
	if f.Code != nil {
		b.block("**Code** " + plain(report.CodeTitle(f.Code)))
		b.block(fence("text", report.CodeLines(f.Code, ">")))
		if args := report.CodeArgs(f.Code); args != "" {
			b.block("Arguments " + plain(args))
		}
	}
	b.block("**Why** " + plain(f.Why))
	b.sentences("But", f.Against)
	if f.Fix != "" {
		b.block("**Fix** " + plain(f.Fix))
	}
	if len(f.Path) > 0 {
		b.details("Stack, the leaf first", stack(f))
	}
	b.steps("Next", f.Next)
}

// suspect writes a place that no finding is about, with what speaks for and against it.
func (b *builder) suspect(l *schema.Lead) {
	b.block("**LOOK AT** " + plain(l.Title))
	b.sentences("For", l.For)
	b.sentences("But", l.Against)
	b.steps("Next", l.Next)
}

// sentences writes a list behind a label.
func (b *builder) sentences(label string, list []string) {
	if len(list) == 0 {
		return
	}
	b.block("**" + label + "** " + plain(strings.Join(list, "; ")))
}

// stack is a finding's path, leaf first, the culprit marked.
func stack(f *rules.Finding) (lines []string) {
	for _, p := range slices.Backward(f.Path) {
		mark := "  "
		if p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			mark = "> "
		}
		lines = append(lines, mark+report.Escape(symbol.StripVendor(p.Function))+"  "+place(p.File, p.Line))
	}
	return lines
}

// steps writes commands, comments above them as the shell has them.
func (b *builder) steps(label string, steps []rules.Step) {
	var lines []string
	for _, s := range steps {
		if comment := report.Escape(s.Remark()); comment != "" {
			lines = append(lines, "# "+comment)
		}
		lines = append(lines, strings.Split(strings.ReplaceAll(report.Escape(s.Command), `\n`, "\n"), "\n")...)
	}
	if len(lines) > 0 {
		b.block("**" + label + "**\n" + fence("sh", lines))
	}
}

// details folds lines under a summary: as many of them as fit.
func (b *builder) details(summary string, lines []string) {
	room, n := MaxBytes-reserve-b.text.Len()-len(summary)-200, 0
	for n < len(lines) && room > len(lines[n]) {
		room -= len(lines[n]) + 1
		n++
	}
	if n < len(lines) {
		b.cut++
	}
	b.block("<details><summary>" + summary + "</summary>\n\n" + fence("text", lines[:n]) + "\n\n</details>")
}

func (b *builder) at(input string, line int64) string {
	return report.Escape(b.names.At(input, line))
}

func place(file string, line int) string { return report.Escape(report.Place(file, line)) }
