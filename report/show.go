package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Excerpts writes goroutines in the lines of their inputs, each line with its number. The lines of the culprit and
// of the program's own code are marked, those of the runtime and of the standard library are dim.
func Excerpts(w io.Writer, x *schema.Excerpts, o TextOptions) error {
	p := newPrinter(w, o)
	text := phrase.Count(x.Matched, "goroutine") + " in " + phrase.Count(x.Groups, "group")
	if n := len(x.Shown); n > 0 && n < x.Matched {
		text += ", " + phrase.Number(n) + " shown, one of each group first; --limit shows more"
	}
	p.section("GOROUTINES", text)
	for e := range pointers(x.Shown) {
		p.excerpt(e)
	}
	if x.Source != nil {
		p.line()
		p.source(x.Source)
	}
	return p.flush("the goroutines as text")
}

func (p *printer) excerpt(e *schema.Excerpt) {
	p.line()
	dot := " " + p.glyphs.dot + " "
	name := "goroutine " + strconv.FormatUint(e.Goroutine, 10)
	if e.Goroutine == 0 {
		name = phrase.Count(e.Count, "goroutine")
	} else if e.Count > 1 {
		name += ", 1 of " + phrase.Number(e.Count)
	}
	what := []string{name, "group " + strconv.Itoa(e.Bucket) + " of its dump", p.escape(collapse(e.Role))}
	if len(e.Findings) > 0 {
		what[2] = "accused by " + strings.Join(e.Findings, ", ")
	}
	p.line(span{text: joined(dot, what...), style: p.colour.Heading})
	digits := 0
	for l := range pointers(e.Lines) {
		digits = max(digits, len(strconv.FormatInt(l.Line, 10)))
	}
	input := e.Input
	p.line(span{text: "  " + p.escape(input), style: p.colour.Dim})
	for l := range pointers(e.Lines) {
		if l.Input != "" && l.Input != input {
			input = l.Input
			p.line(span{text: "  " + p.escape(input), style: p.colour.Dim})
		}
		p.excerptLine(l, digits)
	}
	if e.Cut {
		p.line(plain("  " + p.glyphs.ellipsis + " the stack goes on"))
	}
}

// excerptLine writes one line as it is in the input, a tab as four columns.
func (p *printer) excerptLine(l *schema.ExcerptLine, digits int) {
	number := ""
	if l.Line > 0 {
		number = strconv.FormatInt(l.Line, 10)
	}
	mark, style := " ", ""
	switch {
	case l.Culprit:
		mark, style = p.glyphs.mark, p.colour.Culprit
	case l.Class == "own":
		mark = p.glyphs.own
	case l.Class == "runtime" || l.Class == "stdlib":
		style = p.colour.Dim
	}
	text := p.escape(strings.ReplaceAll(l.Text, "\t", "    "))
	p.line(span{text: padLeft(number, digits+2) + " ", style: p.colour.Dim}, plain(mark+" "),
		span{text: text, style: style})
	if l.Code != nil {
		p.excerptCode(l, digits+5)
	}
}

// excerptCode writes the code of a frame below its line: of a culprit with the lines around it.
func (p *printer) excerptCode(l *schema.ExcerptLine, indent int) {
	c := *l.Code
	if i := c.Line - c.First; !l.Culprit && c.Fits == rules.FitsYes && i < len(c.Lines) {
		c.First, c.Lines = c.Line, c.Lines[i:i+1]
		p.codeLines(&c, indent)
		return
	}
	p.hanging(CodeTitle(&c), indent, 0)
	p.codeLines(&c, indent)
}
