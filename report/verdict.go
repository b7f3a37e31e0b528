package report

import (
	"strings"

	"github.com/gotriage/triage/rules"
)

// verdict is the sentence to act on. It names the first finding; without one it says what stands in the way of saying
// more, and calls nothing healthy.
func (v *view) verdict() {
	v.section("VERDICT", v.sentence())
	if n := len(v.r.Findings); n > 1 {
		label := spaces(len("VERDICT"))
		v.labelled(label, label.text, "and "+count(n-1, "more finding")+": "+v.severities(v.r.Findings[1:]), "", 0)
	}
}

func (v *view) sentence() string {
	if len(v.r.Findings) > 0 {
		// Its culprit's place stands five lines below: here only where it doesn't cost a line.
		return v.accusation(&v.r.Findings[0], min(v.width, maxProse)-len("VERDICT  "))
	}
	goroutines, unparsed, cut, watch := 0, 0, 0, 0
	for i := range v.r.Dumps {
		d := &v.r.Dumps[i]
		goroutines += d.Goroutines
		unparsed += d.Unparsed
		if d.Truncated != "" {
			cut++
		}
		for _, r := range d.Runnable {
			if r.Verdict == "watch" {
				watch += r.Count
			}
		}
	}
	switch {
	case len(v.r.Inputs) == 0:
		return "none: nothing was read"
	case len(v.r.Dumps) == 0 && len(v.r.Profiles) > 0:
		return "nothing accused in " + count(len(v.r.Profiles), "profile")
	case len(v.r.Dumps) == 0 && v.r.Rules.Clear == 0:
		return "none: there is no goroutine dump in " + count(len(v.r.Inputs), "input") + ", so nothing was checked"
	}
	var but []string
	if cut > 0 {
		but = append(but, count(cut, "dump")+" lacks a part")
		if cut > 1 {
			but[0] = count(cut, "dump") + " lack a part"
		}
	}
	if unparsed > 0 {
		but = append(but, count(unparsed, "line")+" could not be read")
	}
	s := "nothing accused"
	if goroutines > 0 {
		s += " among " + count(goroutines, "goroutine")
	}
	if watch > 0 {
		s += ", " + number(watch) + " to watch"
	}
	if odd := v.oddReplicas(); odd != "" {
		s += "; " + odd
	}
	if len(but) > 0 {
		s += "; but " + join(but)
	}
	return s
}

// accusation is a finding's title with its severity and confidence where they are low, and the place, where that
// fits in room columns.
func (v *view) accusation(f *rules.Finding, room int) string {
	title := v.escape(collapse(strings.TrimSuffix(f.Title, ".")))
	if title == "" {
		title = v.escape(f.Name)
	}
	at := v.place(f.Culprit.File, f.Culprit.Line)
	title = cut(strings.TrimSuffix(title, " ("+at+")"), maxTitle, v.glyphs.ellipsis)
	if f.Confidence == rules.ConfLow {
		title = "suspicion: " + title
	}
	if f.Severity == rules.Low || f.Severity == rules.Info {
		title = "minor: " + title
	}
	if at != "" && !strings.Contains(title, at) && width(title)+width(at)+3 <= room {
		title += " (" + at + ")"
	}
	return title
}

// severities counts findings by severity: "2 high, 1 low".
func (v *view) severities(fs []rules.Finding) string {
	var parts []string
	for _, s := range []rules.Severity{rules.Critical, rules.High, rules.Medium, rules.Low, rules.Info} {
		n := 0
		for i := range fs {
			if fs[i].Severity == s {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, number(n)+" "+string(s))
		}
	}
	return strings.Join(parts, ", ")
}

// join writes a list: "a", "a and b", "a, b and c".
func join(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
