package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A span is a piece of a line in one style.
type span struct{ text, style string }

// A printer writes lines. It is the one way to the writer: what it gets is escaped again here, even where a caller
// forgot to, and no line ends in a space. Writing errors are kept by the bufio.Writer and come out of Flush.
type printer struct {
	lines  int // that were written
	w      *bufio.Writer
	escape func(string) string
	glyphs glyphs
	width  int // columns of the terminal
	colour palette
	all    bool
}

func newPrinter(w io.Writer, o TextOptions) *printer {
	p := &printer{w: bufio.NewWriter(w), escape: Escape, glyphs: glyphsOf(o.ASCII), width: o.Width, all: o.All}
	if o.ASCII {
		p.escape = escapeASCII
	}
	if p.width <= 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	if o.Color {
		p.colour = newPalette()
	}
	return p
}

func plain(s string) span { return span{text: s} }

func spaces(n int) span { return span{text: strings.Repeat(" ", max(n, 0))} }

// line writes spans as one line.
func (p *printer) line(spans ...span) {
	last := len(spans)
	for last > 0 && strings.TrimRight(spans[last-1].text, " ") == "" {
		last--
	}
	if last == 0 && p.lines == 0 {
		return // no report begins with a blank line
	}
	p.lines++
	for i, s := range spans[:last] {
		text := p.escape(s.text)
		if i == last-1 {
			text = strings.TrimRight(text, " ")
		}
		if s.style != "" && text != "" {
			text = "\x1b[" + s.style + "m" + text + "\x1b[0m"
		}
		p.w.WriteString(text)
	}
	p.w.WriteByte('\n')
}

// section begins a section: a blank line, its name in capitals, and what is beside it, wrapped.
func (p *printer) section(name, text string) {
	p.line()
	p.labelled(span{text: name, style: p.colour.Heading}, text, headLines)
}

// labelled writes a label and, two columns after it, a text wrapped with a hanging indent; at most maxLines lines where
// that is not 0.
func (p *printer) labelled(label span, text string, maxLines int) {
	indent := width(label.text) + 2
	for i, l := range p.wrapped(text, indent, maxLines) {
		if i > 0 {
			label = spaces(indent - 2)
		}
		p.line(label, plain("  "+l))
	}
}

// more counts what of a list is left out, if anything: "+3 more groups" and the rest, behind indent columns.
func (p *printer) more(indent, n int, noun string, rest ...string) {
	if n > 0 {
		p.line(spaces(indent), plain("+"+phrase.Count(n, "more "+noun)+strings.Join(rest, "")))
	}
}

// shown is how many of n rows are listed.
func (p *printer) shown(n, limit int) int {
	if p.all {
		return n
	}
	return min(n, limit)
}

// fitting is shown for lists where one more row is as short as the line that would replace it.
func (p *printer) fitting(n, limit int) int {
	if n == limit+1 {
		return n
	}
	return p.shown(n, limit)
}

// countOf is a number with its noun, "" for 0.
func countOf[T int | int64](n T, noun string) string {
	return textIf(n != 0, phrase.Count(n, noun))
}

// textIf is s where that holds, "" otherwise.
func textIf(holds bool, s string) string {
	if holds {
		return s
	}
	return ""
}

// prefixed is s behind lead, "" without an s.
func prefixed(lead, s string) string { return textIf(s != "", lead+s) }

// joined joins the parts that are not empty.
func joined(sep string, parts ...string) string { return strings.Join(nonEmpty(parts), sep) }

func nonEmpty(parts []string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// widest is the width of the widest text of list.
func widest[T any](list iter.Seq[T], text func(T) string) (columns int) {
	for x := range list {
		columns = max(columns, width(text(x)))
	}
	return columns
}

// pointers runs over the elements of list where they are.
func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// selected are the elements of list that hold, where they are.
func selected[T any](list []T, hold func(*T) bool) []*T {
	return slices.DeleteFunc(slices.Collect(pointers(list)), func(x *T) bool { return !hold(x) })
}

// groupedBy parts a list by a key, in the order of the first of each.
func groupedBy[T any, K comparable](list iter.Seq[T], key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for x := range list {
		k := key(x)
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// some lists names, of which n are known, and counts the others of all: "7, 8, +96 more".
func (p *printer) some(n, all, limit int, name func(i int) string) string {
	parts := make([]string, p.shown(n, limit))
	for i := range parts {
		parts[i] = name(i)
	}
	if more := all - len(parts); more > 0 {
		parts = append(parts, "+"+phrase.Number(more)+" more")
	}
	return strings.Join(parts, ", ")
}

// hanging writes text wrapped behind indent columns, its further lines two columns further in; at most maxLines lines
// where that is not 0.
func (p *printer) hanging(text string, indent, maxLines int) {
	for i, l := range p.wrapped(text, indent+2, maxLines) {
		if i > 0 {
			l = "  " + l
		}
		p.line(spaces(indent), plain(l))
	}
}

// wrapped is text in lines for what is left of the width after indent columns; never empty.
func (p *printer) wrapped(text string, indent, maxLines int) []string {
	lines := wrap(p.escape(collapse(text)), min(p.width, maxProse)-indent)
	if maxLines > 0 && len(lines) > maxLines && !p.all {
		lines = lines[:maxLines]
		lines[maxLines-1] = cut(lines[maxLines-1]+" "+p.glyphs.ellipsis, min(p.width, maxProse)-indent,
			p.glyphs.ellipsis)
	}
	if len(lines) == 0 {
		return []string{""}
	}
	return lines
}

// block writes text wrapped behind indent columns; at most maxLines lines where that is not 0.
func (p *printer) block(text string, indent, maxLines int, style string) {
	for _, l := range p.wrapped(text, indent, maxLines) {
		p.line(spaces(indent), span{text: l, style: style})
	}
}

// paragraph writes text behind a label of a finding: "why", "fix", "next".
func (p *printer) paragraph(label, text string, maxLines int) {
	if text != "" {
		p.labelled(span{text: "  " + pad(label, labelWidth), style: p.colour.Dim}, strings.TrimSpace(text), maxLines)
	}
}

// maxProseText is how many bytes of a why, a fix or a note are shown: twice those of the longest of 1,356 fixtures and
// real inputs.
const maxProseText = 1600

// sentences is text up to the end of the last sentence within maxProseText; all of it with TextOptions.All.
func (p *printer) sentences(text string) string {
	if len(text) <= maxProseText || p.all {
		return text
	}
	text = head(text, maxProseText)
	if i := strings.LastIndex(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text + p.glyphs.ellipsis
}

// commands writes commands under a label: each begins on its own line, and a long one is continued the shell's way, so
// that what is copied runs.
func (p *printer) commands(label string, steps []rules.Step) {
	for i, s := range steps {
		for j, l := range p.step(s, p.width-4-labelWidth) {
			label := "  " + pad(textIf(i+j == 0, label), labelWidth) + "  "
			p.line(span{text: label, style: p.colour.Dim}, plain(l))
		}
	}
}

// step is a step in lines of at most w columns where the shell allows it.
func (p *printer) step(s rules.Step, w int) []string {
	return wrapCommand(p.escape(s.Command), p.escape(s.Remark()), w)
}

// A palette holds the SGR parameters ("1;31") that paint the parts of a text report. The zero value paints nothing.
// Colour never carries meaning alone: what it marks is written in words or by a mark beside it.
type palette struct {
	Heading    string // VERDICT and the sections' names
	Culprit    string // the guilty line
	Dim        string // runtime and standard library frames, rule ids, places
	severities map[rules.Severity]string
}

// newPalette uses the terminal's own eight colours, so that it follows light and dark themes.
func newPalette() palette {
	return palette{Heading: "1", Culprit: "1", Dim: "2", severities: map[rules.Severity]string{
		rules.Critical: "1;31", rules.High: "1;31", rules.Medium: "1;33", rules.Low: "1;36", rules.Info: "1",
	}}
}

func (p palette) severity(s rules.Severity) string { return p.severities[s] }

// glyphs are the few characters of a text report that are not ASCII.
type glyphs struct{ mark, own, ellipsis, dot string }

func glyphsOf(ascii bool) glyphs {
	if ascii {
		return glyphs{mark: ">", own: "-", ellipsis: "...", dot: "-"}
	}
	return glyphs{mark: "▶", own: "▷", ellipsis: "…", dot: "·"}
}

// TextOptions choose how a text report looks. The zero value is plain text of 100 columns.
type TextOptions struct {
	Width int // columns of the terminal; 0 for 100
	// Rows are those of the terminal: a longer report repeats its headline as the last line. 0 for a file or a pipe.
	Rows  int
	Color bool // paint
	Brief bool // the verdict with its evidence and fix: ten lines or so
	All   bool // every finding in full, every group with its frames, every role, rule and line
	ASCII bool // no character beyond ASCII, for terminals without UTF-8
}

// Bounds on what the report shows without TextOptions.All: together they keep a report with one finding on one screen
// of 45 lines.
const (
	fullFindings  = 3
	lineFindings  = 20
	pathFrames    = 6
	evidenceRows  = 3
	shownIDs      = 4
	inputRows     = 6
	expectedRoles = 3 // beside a culprit
	roleRows      = 6
	otherRows     = 7
	waitRows      = 5
	runnableRows  = 5
	skippedRows   = 5
	proseLines    = 5   // of a reason, a list of names
	headLines     = 20  // of a section's first sentence: beyond real ones, so that only made up ones are cut
	maxTitle      = 200 // columns of a finding's title: twice what its contract allows
	maxFunction   = 300 // columns of a function's name: far beyond real ones, so that only made up ones are cut
)

func (p *printer) flush(what string) error { return written(what, p.w.Flush()) }

// written is the error of writing something, if there is one.
func written(what string, err error) error {
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}
