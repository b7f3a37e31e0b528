package source

import (
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
)

// maxName is how many bytes of a function's or a type's name are quoted in a sentence.
const maxName = 120

// answer is the code of a place in a file that was read, with what the comparison with the build shows.
func (f *file) answer(p *parsed, a *Ask) Answer {
	c, m, reason := f.compared(p, a)
	if c == nil {
		return Answer{Reason: reason}
	}
	c.First, c.Lines = excerpt(p.text, a.Place.Line)
	if m.decl != nil && c.Fits != rules.FitsNo {
		if c.Args = p.arguments(m.decl, a); len(c.Args) > 0 {
			c.Goroutine = a.Goroutine
		}
	}
	return Answer{Code: c}
}

// compared is what the comparison of a place with the build shows, without its lines; nil, with the reason, for one of
// another file.
func (f *file) compared(p *parsed, a *Ask) (c *rules.Code, m match, reason string) {
	m = p.match(a.Place.Function, a.Callee, a.Place.Line)
	switch {
	case m.other, f.at.weak && m.fits == rules.FitsNo:
		return nil, m, "only files with that name but other code"
	case f.at.weak && !m.encloses:
		return nil, m, "only files with that name, and nothing to compare them with"
	}
	c = &rules.Code{Dir: f.root.dir, File: f.at.path, Line: a.Place.Line, Fits: m.fits, Compared: m.text}
	switch {
	case f.at.here != "" && f.at.here != f.at.built:
		c.Fits, c.Compared = rules.FitsNo, "the vendor folder has "+f.at.here+", the build "+f.at.built
	case f.at.built != "" && (c.Fits != rules.FitsNo || m.encloses):
		c.Fits, c.Compared = rules.FitsYes, "same version, "+f.at.built[strings.LastIndexByte(f.at.built, '@')+1:]
	case m.fits == rules.FitsUnknown && m.encloses:
		c.Compared += "; its version is unknown"
	case m.fits == rules.FitsUnknown:
		c.Compared = "not compared with the build, " + m.text
	}
	return c, m, ""
}

// excerpt takes the lines around a line out of a text, and returns the number of the first one.
func excerpt(text string, line int) (first int, lines []string) {
	first, lines = max(line-around, 1), []string{}
	n := 0
	for l := range strings.Lines(text) {
		n++
		if n > line+around {
			break
		}
		if n >= first {
			lines = append(lines, shown(l))
		}
	}
	if n < line { // the file ends before it
		return 0, []string{}
	}
	return first, lines
}

// shown is a line without its end, cut, with what is no UTF-8 replaced.
func shown(line string) string {
	return cut(strings.TrimRight(line, "\r\n"), maxLine)
}

func shortened(name string) string { return cut(name, maxName) }

// cut is valid UTF-8 of n bytes at most, and a mark where something is left out.
func cut(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
