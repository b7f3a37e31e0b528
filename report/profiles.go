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

// kindWords are what a kind of profile is called: "CPU profile"; what follows its amount; and what its whole is called
// at the beginning of a sentence.
type kindWords struct{ name, amount, whole string }

func wordsOf(kind string) kindWords {
	known := map[string]kindWords{
		"cpu":          {name: "CPU profile", whole: "CPU"},
		"heap":         {amount: " in use", whole: "the heap in use"},
		"allocs":       {name: "profile of allocations", amount: " allocated", whole: "allocation"},
		"mutex":        {amount: " waited", whole: "waiting for locks"},
		"block":        {amount: " waited", whole: "blocking"},
		"wall":         {name: "wall-clock profile"},
		"threadcreate": {name: "profile of threads made"},
		"other":        {name: "profile of another kind"},
	}
	w := known[kind]
	w.name = cmp.Or(w.name, kind+" profile")
	w.whole = cmp.Or(w.whole, "the "+w.name)
	return w
}

// profile describes one profile: "CPU profile, 30 s, 1.9 cores, 5,700 samples".
func (v *view) profile(p *schema.Profile) string {
	words := wordsOf(p.Kind)
	return joined(", ", v.escape(words.name), behind("Go ", v.escape(p.Go)),
		given(p.Duration > 0, phrase.Duration(time.Duration(p.Duration))),
		given(p.Kind == "cpu" && p.Cores > 0, phrase.Significant(p.Cores)+" cores"),
		given(p.Kind != "cpu" && p.Total > 0, phrase.Amount(p.Total, p.Unit)+words.amount),
		phrase.Count(p.Samples, "sample"))
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
		v.section("PROFILE", v.at(p.Input, 0)+
			given(p.Explained > 0 && listed, ": findings speak of "+phrase.Share(p.Explained)+" of it"))
		if listed {
			v.top(p)
		}
		v.labels(p)
		for _, d := range p.Doubts {
			v.labelled(plain("  note"), d.Text+behind("; ", d.Hint), proseLines)
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
	for rest := p.Labels; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(l schema.LabelShare) bool { return l.Key != rest[0].Key })
		if n < 0 {
			n = len(rest)
		}
		var parts []string
		for _, l := range rest[:v.shown(n, labelRows)] {
			parts = append(parts, cmp.Or(l.Value, "(none)")+" "+phrase.Share(l.Share))
		}
		if more := n - len(parts); more > 0 {
			parts = append(parts, phrase.Number(more)+" more")
		}
		v.labelled(plain("  label"), rest[0].Key+": "+strings.Join(parts, ", "), proseLines)
		rest = rest[n:]
	}
}
