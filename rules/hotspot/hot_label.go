package hotspot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// hotLabel is TR596.
func hotLabel() *rules.Rule {
	return &rules.Rule{
		ID: "TR596", Name: "hot-label", Category: rules.HotCPU, Severity: rules.Low, Needs: rules.NeedsCPU,
		Run: findHotLabels,
	}
}

// Bounds of hot-label, chosen: most of the CPU, among values enough to be surprised.
const (
	minLabelShare  = 0.5
	minLabelValues = 2
	maxLabelKeys   = 16
)

func findHotLabels(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Profiles {
		if in.Kind != profile.KindCPU || in.Samples() < minSamples {
			continue
		}
		if l := topLabel(in); l.Key != "" {
			found = append(found, labelFinding(in, l))
		}
	}
	return found
}

// topLabel is the value of a label that has most of a profile, its Key "" where none has.
func topLabel(in *rules.ProfileInput) profile.LabelWeight {
	var best profile.LabelWeight
	keys := in.LabelKeys()
	for _, key := range keys[:min(len(keys), maxLabelKeys)] {
		split := slices.DeleteFunc(in.SplitByLabel(key), func(l profile.LabelWeight) bool { return l.Value == "" })
		if len(split) >= minLabelValues && in.LowerBound(split[0].Weight) >= minLabelShare &&
			split[0].Weight.Value > best.Weight.Value {
			best = split[0]
		}
	}
	return best
}

func labelFinding(in *rules.ProfileInput, l profile.LabelWeight) rules.Finding {
	b := in.Blame(in.Select(func(_ int, st *profile.Stack) (inner, outer int, ok bool) {
		v, _ := in.Labels[st.Label].Get(l.Key)
		return 0, -1, v == l.Value
	}))
	share := in.Share(l.Weight)
	name := fmt.Sprintf("%s=%s", printable(l.Key), printable(l.Value))
	f := rules.Finding{
		Severity: rules.Low, Confidence: rules.ConfMedium, Path: pathTo(in.View, b, ""),
		Count: int(min(l.Weight.Samples, 1<<31-1)),
		Title: phrase.CutTitle(fmt.Sprintf("%s takes %s of CPU%s", name, phrase.Percent(share), coresOf(in, share))),
		Evidence: []rules.Evidence{{
			Input: in.Input, Text: fmt.Sprintf("%s of CPU%s with the label %s", phrase.Percent(share),
				coresOf(in, share), name),
			Count: int(min(l.Weight.Samples, 1<<31-1)), Share: share,
		}},
		Why: fmt.Sprintf("The program labels its work. Of several values of the label %s, this one alone takes more "+
			"than half of the CPU.", printable(l.Key)),
		Next: rules.Commands("go tool pprof -top -tagfocus " + rules.Quote(l.Key+"="+tagFilter(l.Value)) + " " +
			rules.Quote(in.Input)),
	}
	if who, _ := culpritOf(b); who != nil {
		f.Culprit = rules.PlaceOf(who.Frame)
	}
	f.Fingerprint = rules.Fingerprint("TR596", f.Culprit, name)
	return f
}

// measured is a number with a unit, as profiles of other languages may have them; those of Go have text alone.
var measured = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+ [a-zA-Z]+$`) })

// tagFilter is the value of pprof's -tagfocus that selects a label's value and no other. Text is an expression there
// unless it is a number, which would select labels with numbers, and a comma separates two.
func tagFilter(value string) string {
	if measured().MatchString(value) {
		return strings.Replace(value, " ", "", 1)
	}
	return "^" + strings.ReplaceAll(regexp.QuoteMeta(value), ",", ".") + "$"
}

// printable drops what could end a line or a terminal's state: labels come from requests.
func printable(s string) string {
	r := []rune(s)
	r = slices.DeleteFunc(r, func(c rune) bool {
		return c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || rules.IsBidi(c) || c == '{' || c == '}'
	})
	if len(r) > 60 {
		r = append(r[:59], '…')
	}
	return string(r)
}
