package declared

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// A template is text with placeholders in braces: "{culprit} waits for {goroutines}". It can only name what
// placeholders lists, so that a rule file can't reach anything else.
type template struct {
	parts []string // text and placeholder by turns, text first
	known []placeholder
}

// values are what placeholders stand for in one finding: about a dump, or about a profile.
type values struct {
	in      *rules.ProfileInput
	claim   *hotspot.Claim
	culprit string

	d       *rules.DumpInput
	b       *stackparse.Bucket
	blame   rules.Blame
	count   int
	minutes uint32
}

// A placeholder is one name in braces; plain replaces it in documentation, where there is no finding.
type placeholder struct {
	name, plain string
	value       func(*values) string
}

func placeholders() []placeholder {
	return []placeholder{
		{"culprit", "the culprit", func(v *values) string { return frame.ShortFunc(v.blame.Culprit.Function) }},
		{"function", "the culprit", func(v *values) string { return v.blame.Culprit.Function }},
		{"file", "FILE", func(v *values) string { return frame.ShortFile(v.blame.Culprit.File) }},
		{"line", "LINE", func(v *values) string { return strconv.Itoa(v.blame.Culprit.Line) }},
		{"creator", "its creator", func(v *values) string {
			if v.blame.Creator == "" {
				return "main"
			}
			return frame.ShortFunc(v.blame.Creator)
		}},
		{"count", "N", func(v *values) string { return strconv.Itoa(v.count) }},
		{"goroutines", "N goroutines", func(v *values) string { return phrase.CountGoroutines(v.count) }},
		{"minutes", "M", func(v *values) string { return strconv.FormatUint(uint64(v.minutes), 10) }},
		{"waiting", "", func(v *values) string {
			if v.minutes == 0 {
				return ""
			}
			return " for at least " + phrase.CountMinutes(v.minutes)
		}},
		{"class", "its state", func(v *values) string { return string(v.b.Class) }},
		{"state", "its state", func(v *values) string {
			if len(v.b.Goroutines) == 0 {
				return string(v.b.Class)
			}
			return v.d.StateOf(&v.b.Goroutines[0])
		}},
	}
}

func parseTemplate(s string, known []placeholder) (template, error) {
	t := template{known: known}
	rest := strings.Join(strings.Fields(s), " ")
	for {
		text, after, found := strings.Cut(rest, "{")
		t.parts = append(t.parts, text)
		if !found {
			return t, nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return template{}, fmt.Errorf("a brace is not closed: {%s", name)
		}
		if !slices.ContainsFunc(known, func(p placeholder) bool { return p.name == name }) {
			names := make([]string, len(known))
			for i, p := range known {
				names[i] = "{" + p.name + "}"
			}
			return template{}, fmt.Errorf("unknown placeholder {%s}; there are %s", name, strings.Join(names, " "))
		}
		t.parts = append(t.parts, name)
		rest = tail
	}
}

func (t template) fill(v *values) string {
	return t.expand(func(p *placeholder) string { return p.value(v) })
}

// plain is the template as documentation prints it.
func (t template) plain() string {
	return t.expand(func(p *placeholder) string { return p.plain })
}

func (t template) expand(value func(*placeholder) string) string {
	var sb strings.Builder
	for i, part := range t.parts {
		if i%2 == 0 {
			sb.WriteString(part)
			continue
		}
		for k := range t.known {
			if t.known[k].name == part {
				sb.WriteString(value(&t.known[k]))
			}
		}
	}
	return sb.String()
}
