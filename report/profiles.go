package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is shown of a profile without TextOptions.All.
const (
	// wellExplained is the share of a profile from which its findings explain enough (chosen: most of it).
	wellExplained = 0.6
	ownRows       = 5
	leafRows      = 3
	labelRows     = 3
	// maxProfiles is how many profiles get a list of functions.
	maxProfiles = 3
)

// kindName is what a profile is called: "CPU profile".
func kindName(kind string) string {
	switch kind {
	case "cpu":
		return "CPU profile"
	case "allocs":
		return "profile of allocations"
	case "wall":
		return "wall-clock profile"
	case "threadcreate":
		return "profile of threads made"
	case "other":
		return "profile of another kind"
	}
	return kind + " profile"
}

// profile describes one profile: "CPU profile, 30 s, 1.9 cores, 5,700 samples".
func (v *view) profile(p *schema.Profile) string {
	parts := []string{v.escape(kindName(p.Kind))}
	if p.Go != "" {
		parts = append(parts, "Go "+v.escape(p.Go))
	}
	if p.Duration > 0 {
		parts = append(parts, phrase.Duration(time.Duration(p.Duration)))
	}
	switch {
	case p.Kind == "cpu" && p.Cores > 0:
		parts = append(parts, phrase.Significant(p.Cores)+" cores")
	case p.Kind != "cpu" && p.Total > 0:
		parts = append(parts, phrase.Amount(p.Total, p.Unit)+totalOf(p))
	}
	return strings.Join(append(parts, phrase.Count(p.Samples, "sample")), ", ")
}

// totalOf describes a profile's amount.
func totalOf(p *schema.Profile) string {
	switch p.Kind {
	case "heap":
		return " in use"
	case "allocs":
		return " allocated"
	case "mutex", "block":
		return " waited"
	}
	return ""
}

// profiles lists the functions with most of each profile that the findings don't explain, the program's own first, and
// the reasons for caution.
func (v *view) profiles() {
	shown := 0
	for i := range v.r.Profiles {
		p := &v.r.Profiles[i]
		if !v.all && shown == maxProfiles {
			v.section("PROFILES", phrase.Count(len(v.r.Profiles)-i, "more profile")+"; --all lists their functions")
			return
		}
		listed := p.Total > 0 && len(p.Top) > 0 && (v.all || p.Explained < wellExplained)
		if !listed && len(p.Doubts) == 0 {
			continue
		}
		shown++
		what := v.at(p.Input, 0)
		if p.Explained > 0 && listed {
			what += ": findings speak of " + phrase.Share(p.Explained) + " of it"
		}
		v.section("PROFILE", what)
		if listed {
			v.top(p)
		}
		v.labels(p)
		for _, d := range p.Doubts {
			text := d.Text
			if d.Hint != "" {
				text += "; " + d.Hint
			}
			v.labelled(plain("  note"), text, proseLines)
		}
	}
}

// top writes a profile's functions in two columns of shares: with what they call, and alone.
func (v *view) top(p *schema.Profile) {
	var own, leaves []schema.TopFunction
	for _, f := range p.Top {
		if f.Class == "own" {
			own = append(own, f)
		} else {
			leaves = append(leaves, f)
		}
	}
	slices.SortStableFunc(own, func(a, b schema.TopFunction) int { return cmp.Compare(b.Cum, a.Cum) })
	slices.SortStableFunc(leaves, func(a, b schema.TopFunction) int { return cmp.Compare(b.Flat, a.Flat) })
	v.line(span{text: "  with callees    alone  of " + phrase.Amount(p.Total, p.Unit), style: v.colour.Dim})
	for _, f := range own[:v.shown(len(own), ownRows)] {
		v.topRow(p, f, "")
	}
	for _, f := range leaves[:v.shown(len(leaves), leafRows)] {
		v.topRow(p, f, v.colour.Dim)
	}
}

func (v *view) topRow(p *schema.Profile, f schema.TopFunction, style string) {
	share := func(n int64) string { return phrase.Share(float64(n) / float64(max(p.Total, 1))) }
	lead := padLeft(share(f.Cum), 14) + padLeft(share(f.Flat), 9) + "  "
	name := v.function(f.Function, v.width-width(lead))
	if width(lead)+width(name) <= v.width {
		v.line(span{text: lead + name, style: style})
		return
	}
	v.line(span{text: strings.TrimRight(lead, " "), style: style})
	v.line(spaces(4), span{text: v.function(f.Function, v.width-4), style: style})
}

// labels writes how a profile divides by its labels.
func (v *view) labels(p *schema.Profile) {
	for i := 0; i < len(p.Labels); {
		key := p.Labels[i].Key
		var parts []string
		n := 0
		for ; i < len(p.Labels) && p.Labels[i].Key == key; i++ {
			if n++; n > labelRows && !v.all {
				continue
			}
			parts = append(parts, cmp.Or(p.Labels[i].Value, "(none)")+" "+phrase.Share(p.Labels[i].Share))
		}
		if n > labelRows && !v.all {
			parts = append(parts, phrase.Number(n-labelRows)+" more")
		}
		v.labelled(plain("  label"), key+": "+strings.Join(parts, ", "), proseLines)
	}
}
