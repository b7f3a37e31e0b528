package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// diffRows is how many rows each part of a comparison has without TextOptions.All.
const diffRows = 8

// inBoth is the name of the part with the stacks of both sides.
const inBoth = "IN BOTH"

// writeDiff writes a comparison: the sides, the verdict, findings that are new, gone and in both, then stacks and
// profiles. v's findings are the new ones (Text).
func (v *view) writeDiff() {
	d := v.report.Diff
	if !onlyProfiles(d) {
		v.diffSide("BEFORE", &d.Before)
		v.diffSide("AFTER ", &d.After)
	}
	v.profileSides(d)
	v.section("VERDICT", v.diffVerdict(d))
	v.writeFindings()
	v.diffFindings("GONE", "that only BEFORE has", d.Findings.Gone)
	v.diffFindings("STILL", "on both sides", d.Findings.Both)
	v.diffBuckets(d)
	v.diffProfiles(d)
	v.writeAsides()
	v.writeSkipped()
	v.writeAdvice()
	v.diffFooter(d)
}

func (v *view) diffSide(label string, s *schema.DiffSide) {
	name := v.sideInputs(s.Inputs)
	var parts []string
	switch len(s.Dumps) {
	case 0:
		parts = []string{cmp.Or(countOf(s.Instances, "instance"), textIf(s.Profiles == 0, "no goroutine dump"))}
	case 1:
		d := &s.Dumps[0]
		parts = []string{d.Signal, prefixed("Go ", d.Go), phrase.Count(s.Goroutines, "goroutine"), d.Time,
			textIf(d.Truncated != "", "incomplete")}
		if len(s.Inputs) == 1 && d.Input == s.Inputs[0] && d.Line > 1 {
			name = v.at(d.Input, d.Line)
		}
	default:
		parts = []string{"the last dumps of " + phrase.Count(len(s.Dumps), "process"),
			phrase.Count(s.Goroutines, "goroutine")}
	}
	parts = append(parts, countOf(s.Profiles, "profile"), phrase.Count(s.Findings, "finding"))
	v.labelled(span{text: label, style: v.colour.Heading}, name+": "+joined(", ", parts...), 0)
}

// compared describes by what the sides were compared.
func compared(d *schema.Diff) string {
	switch d.By {
	case schema.ByGoroutine:
		text := "two dumps of one process"
		if d.Goroutines != nil {
			text += "; goroutines: " + stepText(*d.Goroutines)
		}
		return text
	case schema.ByFunction:
		return "different builds, compared by function because lines have moved"
	}
	return "different processes, compared by stack"
}

func (v *view) diffVerdict(d *schema.Diff) string {
	if onlyProfiles(d) {
		return v.newVerdict(d) + v.profilesVerdict(d)
	}
	if d.OfMerged() {
		return v.newVerdict(d)
	}
	if d.Before.Profiles > 0 && d.After.Profiles > 0 && (len(d.Before.Dumps) == 0 || len(d.After.Dumps) == 0) {
		return "nothing to compare: no profile in BEFORE is of the same kind as one in AFTER"
	}
	if len(d.Before.Dumps) == 0 || len(d.After.Dumps) == 0 {
		name, side := "BEFORE", &d.Before
		if len(d.Before.Dumps) > 0 {
			name, side = "AFTER", &d.After
		}
		return "nothing to compare: " + name + " has no goroutine dump" + textIf(side.Profiles == 0, " or profile")
	}
	text := v.newVerdict(d)
	delta := d.After.Goroutines - d.Before.Goroutines
	text += "; " + cmp.Or(textIf(delta > 0, phrase.Count(delta, "goroutine")+" more"),
		textIf(delta < 0, phrase.Count(-delta, "goroutine")+" fewer"), "as many goroutines as before")
	if len(d.Buckets) > 0 {
		if b := &d.Buckets[0]; delta*(b.After-b.Before) > 0 && b.Function != "" {
			text += ", most of all in " + v.shortFunction(b.Function) + " (" + signed(b.After-b.Before) + ")"
		}
	}
	return text + v.profilesVerdict(d)
}

// newVerdict names the first of the findings that are new.
func (v *view) newVerdict(d *schema.Diff) string {
	n := len(d.Findings.New)
	if n == 0 {
		text := "no new finding" + prefixed(" but ", v.setAside())
		if l := v.first(); l != nil { // a suspect that only the state after has
			text += "; look first: " + v.escape(collapse(l.Title))
		}
		return text
	}
	doubt := textIf(!d.Findings.New[0].Alarm(), strings.ToLower(v.word())+", ")
	return doubt + "new: " + v.accusation(&d.Findings.New[0]) +
		textIf(n > 1, ", and "+phrase.Count(n-1, "more new finding"))
}

func (v *view) diffFindings(name, what string, fs []rules.Finding) {
	if len(fs) == 0 {
		return
	}
	v.section(name, phrase.Count(len(fs), "finding")+" "+what)
	v.oneLineEach(fs, v.fitting(len(fs), diffRows), func(f *rules.Finding) string {
		return v.place(f.Culprit.File, f.Culprit.Line)
	})
}

// diffBuckets writes the stacks in three parts: of AFTER alone, of both sides, of BEFORE alone. Of both only those that
// changed are shown, --all or not: the others are counted.
func (v *view) diffBuckets(d *schema.Diff) {
	if len(d.Before.Dumps) == 0 || len(d.After.Dumps) == 0 {
		return
	}
	var parts [3][]*schema.DiffBucket
	for b := range pointers(d.Buckets) {
		switch {
		case b.Before == b.After:
		case b.Before == 0:
			parts[0] = append(parts[0], b)
		case b.After == 0:
			parts[2] = append(parts[2], b)
		default:
			parts[1] = append(parts[1], b)
		}
	}
	v.diffPart("ONLY AFTER", "that BEFORE does not have", d, parts[0])
	v.diffPart(inBoth, "with more or fewer goroutines", d, parts[1])
	v.diffPart("ONLY BEFORE", "that AFTER does not have", d, parts[2])
}

func (v *view) diffPart(name, what string, d *schema.Diff, list []*schema.DiffBucket) {
	if len(list) == 0 {
		return
	}
	goroutines := 0
	for _, b := range list {
		goroutines += max(b.After-b.Before, b.Before-b.After)
	}
	text := phrase.Count(len(list), "group") + " " + what
	if name != inBoth {
		text = phrase.Count(goroutines, "goroutine") + " in " + text
	}
	v.section(name, text)
	shown, hidden := list, 0
	if !v.all {
		shown = slices.DeleteFunc(slices.Clone(list), chance)
		shown = shown[:v.fitting(len(shown), diffRows)]
		hidden = len(list) - len(shown)
	}
	if len(shown) == 0 {
		v.line(plain("  " + phrase.Count(hidden, "group") + " with roles, within normal fluctuation"))
		return
	}
	var heads []string
	if name == inBoth {
		heads = []string{"before", "after", "change"}
		if d.By == schema.ByGoroutine {
			heads = append(heads, "same ids")
		}
	}
	rows := make([]gridRow, 0, len(shown))
	for _, b := range shown {
		rows = append(rows, v.diffRow(b, len(heads)))
	}
	v.writeGrid(heads, rows, gridCell)
	v.more(2, hidden, "group")
}

// diffRow is a stack's row of so many cells: 0 where the stack is on one side alone.
func (v *view) diffRow(b *schema.DiffBucket, cells int) gridRow {
	r := v.stackRow(b.Function, b.File, b.Line, b.Wait, b.Role)
	if cells == 0 {
		r.cells = []string{phrase.Number(max(b.Before, b.After))}
		return r
	}
	r.cells = []string{phrase.Number(b.Before), phrase.Number(b.After), signed(b.After - b.Before),
		phrase.Number(b.SameGoroutines)}[:cells]
	return r
}

// chance reports whether a stack whose goroutines have a role changed by chance: no more than comes and goes.
func chance(b *schema.DiffBucket) bool {
	switch b.Trend {
	case stackparse.TrendGrew, stackparse.TrendShrank:
		return false
	case stackparse.TrendNew, stackparse.TrendGone:
		return b.Role != "" && max(b.Before, b.After) < seriesCount
	}
	return b.Role != ""
}

func (v *view) diffFooter(d *schema.Diff) {
	if len(d.Profiles) > 0 {
		v.line()
		v.profileFooter(d)
	}
	if len(d.Before.Dumps) == 0 || len(d.After.Dumps) == 0 {
		return
	}
	if len(d.Profiles) == 0 {
		v.line()
	}
	left := d.BucketsTotal - len(d.Buckets)
	v.hanging(compared(d)+"; "+phrase.Count(d.Unchanged, "group")+" with the same number of goroutines on both sides"+
		textIf(left > 0, "; "+phrase.Count(left, "group")+" with smaller changes not listed")+
		"; "+phrase.Count(v.report.Rules.Checked, "rule")+" checked on each side separately"+
		textIf(d.By == schema.ByGoroutine, "; those that need two dumps were checked on both sides together"), 0, 0)
}
