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

// code writes the lines around a finding's culprit as its file has them, and the arguments of the call.
func (v *view) code(f *rules.Finding) {
	c := f.Code
	if c == nil {
		return
	}
	v.paragraph("code", c.File+fitness(c), 0)
	v.codeLines(c, labelWidth+4)
	if len(c.Args) == 0 {
		return
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Name + " " + a.Type + " = " + cmp.Or(a.Value, a.Words)
	}
	v.paragraph("args", given(c.Goroutine > 0, "of goroutine "+strconv.FormatUint(c.Goroutine, 10)+": ")+
		strings.Join(args, ", "), proseLines)
}

// fitness continues the name of a file with whether it is that of the build.
func fitness(c *rules.Code) string {
	switch c.Fits {
	case rules.FitsYes:
		return " fits the build: " + c.Compared
	case rules.FitsNo:
		return " may be another version: " + c.Compared
	}
	return behind(": ", c.Compared)
}

// codeLines writes lines of code behind indent columns, each with its number, the place's own one marked. What they have
// in common on the left is left out, and what is too wide for the line.
func (p *printer) codeLines(c *rules.Code, indent int) {
	lines := make([]string, len(c.Lines))
	margin := -1
	for i, l := range c.Lines {
		lines[i] = p.escape(strings.ReplaceAll(l, "\t", "    "))
		if text := strings.TrimLeft(lines[i], " "); text != "" && (margin < 0 || len(lines[i])-len(text) < margin) {
			margin = len(lines[i]) - len(text)
		}
	}
	digits := len(strconv.Itoa(c.First + len(lines)))
	for i, l := range lines {
		mark, style := " ", ""
		if c.First+i == c.Line {
			mark, style = p.glyphs.mark, p.colour.Culprit
		}
		number := padLeft(strconv.Itoa(c.First+i), digits)
		room := max(p.width-indent-digits-5, 20)
		p.line(spaces(indent), span{text: mark + " " + number + "  ", style: style},
			span{text: cut(l[min(max(margin, 0), len(l)):], room, p.glyphs.ellipsis), style: style})
	}
}

// source sums up what of the code was found below the folders of --source.
func (p *printer) source(s *schema.Source) {
	if s == nil || s.Files == 0 {
		return
	}
	where := s.Dirs[0]
	if len(s.Dirs) > 1 {
		where = "the " + phrase.Count(len(s.Dirs), "folder") + " of --source"
	}
	places := []string{countOf(s.Fits, "place")}
	if s.Fits > 0 {
		places[0] += given(s.Fits == 1, " fits") + given(s.Fits > 1, " fit") + " the build"
	}
	text := "source: " + phrase.Number(s.Found) + " of " + phrase.Count(s.Files, "file") + " found below " + where +
		behind(", ", joined(", ", places[0],
			behind(countOf(s.Differs, "place"), given(s.Differs > 0, " from another version")),
			behind(countOf(s.Unknown, "place"), given(s.Unknown > 0, " not compared"))))
	p.hanging(text, 0, 0)
	var reasons []string
	files := map[string][]string{}
	for _, m := range s.Missing {
		if files[m.Reason] == nil {
			reasons = append(reasons, m.Reason)
		}
		files[m.Reason] = append(files[m.Reason], m.File)
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(len(files[b]), len(files[a])) })
	for _, r := range reasons[:p.shown(len(reasons), skippedRows)] {
		list := files[r]
		p.hanging(p.some(len(list), len(list), skipNames, func(i int) string {
			return cutLeft(p.escape(list[i]), max(p.width/2, 24), p.glyphs.ellipsis)
		})+": "+r, 2, proseLines)
	}
	p.more(2, len(reasons)-p.shown(len(reasons), skippedRows), "reason")
}
