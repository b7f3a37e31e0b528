package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// advice prints the recipes that collect what is missing.
func (v *view) advice() {
	for _, a := range v.r.Advice {
		v.section("COLLECT", a.Why)
		for _, c := range a.Commands {
			for _, l := range v.step(c, v.width-2) {
				v.line(plain("  " + l))
			}
		}
	}
}

// coverage writes what the report rests on: the rules and what they lacked, the lines that no parser understood.
func (v *view) coverage() {
	v.line()
	v.hanging(v.checked(), 0, 0)
	if v.all {
		for _, n := range v.needs() {
			v.labelled(plain(""), "needs "+n.what+": "+strings.Join(n.rules, ", "), 0)
		}
	}
	v.unparsed()
	if v.all {
		return
	}
	groups := 0
	for d := range pointers(v.r.Dumps) {
		groups += len(d.Buckets)
	}
	if groups > 0 {
		v.line(plain("--all lists " + phrase.Count(groups, "group") + " with every frame"))
	}
}

// checked counts the rules: "checked 41 rules: 1 finding, 33 clear, 7 not applicable: they need two dumps of one
// process".
func (v *view) checked() string {
	c, found := v.r.Rules, len(v.r.Findings)
	if c.Checked == 0 {
		return "no rule was checked"
	}
	s := "checked " + phrase.Count(c.Checked, "rule") + ": "
	if c.NotApplicable == c.Checked {
		s += "none had anything to look at"
	} else {
		s += phrase.Count(found, "finding") +
			given(c.Fired != found && c.Fired > 0, " from "+phrase.Count(c.Fired, "rule")) +
			", " + phrase.Number(c.Clear) + " clear, " + phrase.Number(c.NotApplicable) + " not applicable"
	}
	needs := v.needs()
	if v.all || len(needs) == 0 {
		return s
	}
	var parts []string
	for _, n := range needs {
		subject := phrase.Number(len(n.rules)) + " need "
		switch {
		case len(needs) == 1 && v.r.Rules.NotApplicable == 1:
			subject = "it needs "
		case len(needs) == 1:
			subject = "they need "
		case len(n.rules) == 1:
			subject = "1 needs "
		}
		parts = append(parts, subject+n.what)
	}
	return s + ": " + strings.Join(parts, ", ")
}

// A need is a piece of evidence that rules lacked.
type need struct {
	what  string
	rules []string
}

// needs groups the rules that were not applicable by what they lack, most rules first.
func (v *view) needs() []need {
	var list []need
	for _, n := range v.r.NotApplicable {
		what := v.kindOfNeed(collapse(strings.TrimPrefix(strings.TrimPrefix(n.Needs, "needs "), "need ")))
		i := slices.IndexFunc(list, func(l need) bool { return l.what == what })
		if i < 0 {
			i = len(list)
			list = append(list, need{what: what})
		}
		list[i].rules = append(list[i].rules, n.Rule)
	}
	slices.SortStableFunc(list, func(a, b need) int { return cmp.Compare(len(b.rules), len(a.rules)) })
	return list
}

// kindOfNeed names the kind of evidence that is missing altogether instead of what of it a rule asks for: without a
// profile it doesn't matter that some rules are about mutex profiles.
func (v *view) kindOfNeed(what string) string {
	if v.all {
		return what
	}
	for _, n := range []rules.Needs{rules.NeedsCPU, rules.NeedsHeap, rules.NeedsAllocs, rules.NeedsHeaps,
		rules.NeedsMutex, rules.NeedsBlock, rules.NeedsProfile} {
		if len(v.r.Profiles) == 0 && what == n.String() {
			return "a profile"
		}
	}
	if objects, trail := rules.NeedsObjects.String(), rules.NeedsAudit.String(); strings.Contains(what, objects) ||
		strings.Contains(what, trail) {
		if v.r.Cluster == nil && v.r.Audit == nil {
			return "Kubernetes objects or an audit log"
		}
		what, _, _ = strings.Cut(what, " (") // what they may look like is for triage explain
		return what
	}
	if len(v.r.Dumps) == 0 && (strings.Contains(what, rules.NeedsDump.String()) ||
		what == rules.NeedsCause.String() || what == rules.NeedsRace.String() ||
		strings.Contains(what, rules.NeedsDumps.String())) {
		return rules.NeedsDump.String()
	}
	return what
}

// unparsed counts the lines inside dumps that were not understood and shows the first, with --all those that were kept.
func (v *view) unparsed() {
	total := 0
	var first []string
	for d := range pointers(v.r.Dumps) {
		total += d.Unparsed
		for _, u := range d.UnparsedLines {
			first = append(first, v.at(d.Input, u.Line)+" \""+v.escape(u.Text)+"\"")
		}
	}
	if total == 0 {
		return
	}
	s := "not understood: " + phrase.Count(total, "line") + " inside a dump"
	if len(first) > 0 && !v.all {
		v.line(plain(cut(s+", first "+first[0], v.width, v.glyphs.ellipsis)))
		return
	}
	v.line(plain(s))
	for _, f := range first {
		v.line(plain("  " + cut(f, v.width-2, v.glyphs.ellipsis)))
	}
}
