package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// writeCode writes the lines around a finding's culprit as its file has them, and the arguments of the call.
func (v *view) writeCode(f *rules.Finding) {
	if f.Code == nil {
		return
	}
	v.paragraph("code", CodeTitle(f.Code), 0)
	v.codeLines(f.Code, labelWidth+4)
	v.paragraph("args", CodeArgs(f.Code), proseLines)
}

// codeLines writes lines of code behind indent columns, cut at the width.
func (p *printer) codeLines(c *rules.Code, indent int) {
	for i, l := range CodeLines(c, p.glyphs.mark) {
		style := textIf(c.First+i == c.Line, p.colour.Culprit)
		p.line(spaces(indent), span{text: cut(p.escape(l), max(p.width-indent, 20), p.glyphs.ellipsis), style: style})
	}
}

// CodeTitle is the name of a file with whether it is that of the build, not escaped.
func CodeTitle(c *rules.Code) string {
	switch c.Fits {
	case rules.FitsYes:
		return c.File + " matches the build: " + c.Compared
	case rules.FitsNo:
		return c.File + " may be another version: " + c.Compared
	}
	return c.File + prefixed(": ", c.Compared)
}

// CodeLines are the lines of code with their numbers, mark before the place's own one, escaped. A tab is four columns;
// what the lines have in common on the left is left out.
func CodeLines(c *rules.Code, mark string) []string {
	const most = 5 // a report that was saved may have any number
	lines := make([]string, min(len(c.Lines), most))
	margin := -1
	for i, l := range c.Lines[:len(lines)] {
		lines[i] = Escape(strings.ReplaceAll(l, "\t", "    "))
		if text := strings.TrimLeft(lines[i], " "); text != "" && (margin < 0 || len(lines[i])-len(text) < margin) {
			margin = len(lines[i]) - len(text)
		}
	}
	digits := len(strconv.Itoa(c.First + len(lines)))
	for i, l := range lines {
		n := c.First + i
		lines[i] = pad(textIf(n == c.Line, mark), width(mark)) + " " + padLeft(strconv.Itoa(n), digits) + "  " +
			l[min(max(margin, 0), len(l)):]
	}
	return lines
}

// CodeArgs are the arguments of the call in one sentence, "" for none, not escaped.
func CodeArgs(c *rules.Code) string {
	if len(c.Args) == 0 {
		return ""
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Name + " " + a.Type + " = " + cmp.Or(a.Value, a.Words)
	}
	return textIf(c.Goroutine > 0, "of goroutine "+strconv.FormatUint(c.Goroutine, 10)+": ") + strings.Join(args, ", ")
}

// source sums up what of the code was found under the folders of --source.
func (p *printer) source(s *schema.Source) {
	if s == nil || s.Files == 0 || len(s.Dirs) == 0 {
		return
	}
	where := s.Dirs[0]
	if len(s.Dirs) > 1 {
		where = "the " + phrase.Count(len(s.Dirs), "folder") + " with source"
	}
	places := []string{countOf(s.Fits, "place")}
	if s.Fits > 0 {
		places[0] += textIf(s.Fits == 1, " matches") + textIf(s.Fits > 1, " match") + " the build"
	}
	text := "source: " + phrase.Number(s.Found) + " of " + phrase.Count(s.Files, "file") + " found under " + where +
		prefixed(", ", joined(", ", places[0],
			prefixed(countOf(s.Differs, "place"), textIf(s.Differs > 0, " from another version")),
			prefixed(countOf(s.Unknown, "place"), textIf(s.Unknown > 0, " not compared"))))
	p.hanging(text, 0, 0)
	missing := groupedBy(pointers(s.Missing), func(m *schema.MissingFile) string { return m.Reason })
	slices.SortStableFunc(missing, func(a, b []*schema.MissingFile) int { return cmp.Compare(len(b), len(a)) })
	shown := p.shown(len(missing), skippedRows)
	for _, list := range missing[:shown] {
		p.hanging(p.some(len(list), len(list), skipNames, func(i int) string {
			return cutLeft(p.escape(list[i].File), max(p.width/2, 24), p.glyphs.ellipsis)
		})+": "+list[0].Reason, 2, proseLines)
	}
	p.more(2, len(missing)-shown, "reason")
}
