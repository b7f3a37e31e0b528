package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is shown of a comparison of profiles without TextOptions.All.
const (
	deltaRows  = 6 // of the program's own functions, in each direction
	calleeRows = 4 // of what they call
	callerCols = 2 // callers of one function
)

// onlyProfiles reports whether profiles were compared and no dumps.
func onlyProfiles(d *schema.Diff) bool {
	return len(d.Profiles) > 0 && (len(d.Before.Dumps) == 0 || len(d.After.Dumps) == 0)
}

// profileSides writes what each side has of each kind.
func (v *view) profileSides(d *schema.Diff) {
	for p := range pointers(d.Profiles) {
		for _, s := range []struct {
			label    string
			of       *schema.DiffProfile
			findings int
		}{{"BEFORE", &p.Before, d.Before.Findings}, {"AFTER ", &p.After, d.After.Findings}} {
			text := v.sideInputs(s.of.Inputs) + ": " + v.profile(&schema.Profile{
				Kind: p.Kind, Type: p.Type, Unit: p.Unit, Go: s.of.Go, Total: s.of.Total, Duration: s.of.Duration,
				Samples: s.of.Samples, Cores: s.of.Cores,
			})
			text += textIf(s.of.Older > 0, ", the last of "+phrase.Count(s.of.Older+1, "profile")) +
				textIf(len(d.Profiles) == 1 && onlyProfiles(d), ", "+phrase.Count(s.findings, "finding"))
			v.labelled(span{text: s.label, style: v.colour.Heading}, text, 0)
		}
	}
}

// rate writes a value of a comparison with its unit: "1.9 cores", "103 MB", "2.1 MB/s", "12%".
func rate(p *schema.ProfileDiff, x float64) string {
	size := math.Abs(x)
	whole := func() string { return phrase.Amount(int64(math.Round(min(size, 1<<62))), p.Unit) }
	switch p.Rate {
	case "cores":
		if size == 0 {
			return "0 cores"
		}
		return phrase.Significant(size) + " cores"
	case "share":
		return phrase.Share(size)
	case "/s":
		return whole() + "/s"
	}
	return whole()
}

// change writes a difference with its sign.
func change(p *schema.ProfileDiff, x float64) string {
	return cmp.Or(textIf(x > 0, "+"+rate(p, x)), textIf(x < 0, "-"+rate(p, x)), "0")
}

// wholeChange describes how the whole changed and which function of the program's own did it.
func (v *view) wholeChange(p *schema.ProfileDiff) string {
	text := v.escape(wordsOf(p.Kind).whole)
	switch {
	case p.Rate == "share":
		text += " is compared by shares"
	case p.Noise:
		text += " is the same within noise (" + rate(p, p.Before.Value) + ", then " + rate(p, p.After.Value) + ")"
	default:
		text += " went " + cmp.Or(textIf(p.Change > 0, "up"), "down") + " from " + rate(p, p.Before.Value) + " to " +
			rate(p, p.After.Value) + " (" + change(p, p.Change) + ")"
	}
	if top := mostChanged(p); top != nil {
		return text + ", most of all in " + v.shortFunction(top.Function) + " (" + change(p, top.Change) + ")"
	}
	called := callees(p, func(d *schema.ProfileDelta) bool { return !d.Noise }, false)
	if len(called) > 0 {
		return text + ", but moved to other functions: " + v.shortFunction(called[0].Function) + " (" +
			change(p, called[0].Change) + ")"
	}
	return text + ", and no function changed beyond noise"
}

// profilesVerdict is the part of the verdict that profiles have, with what leads to it.
func (v *view) profilesVerdict(d *schema.Diff) (text string) {
	for p := range pointers(d.Profiles) {
		text += "; " + v.wholeChange(p)
	}
	return text
}

// mostChanged is the function of the program's own that changed most: in the direction of the total, unless that is
// noise.
func mostChanged(p *schema.ProfileDiff) *schema.ProfileDelta {
	var top *schema.ProfileDelta
	for d := range pointers(p.Payers) {
		against := !p.Noise && p.Change*d.Change < 0
		if !d.Noise && !against && (top == nil || math.Abs(d.Change) > math.Abs(top.Change)) {
			top = d
		}
	}
	return top
}

// diffProfiles writes for each kind what grew, what shrank, and what may be chance.
func (v *view) diffProfiles(d *schema.Diff) {
	for p := range pointers(d.Profiles) {
		more, less := "HOTTER", "COOLER"
		if p.Kind != "cpu" && p.Kind != "wall" {
			more, less = "MORE", "LESS"
		}
		v.deltas(more, p, func(d *schema.ProfileDelta) bool { return !d.Noise && d.Change > 0 })
		v.deltas(less, p, func(d *schema.ProfileDelta) bool { return !d.Noise && d.Change < 0 })
		v.chanceDeltas(p)
	}
}

// deltas writes the functions of one direction: the program's own that pay with who calls them, then what they call.
func (v *view) deltas(name string, p *schema.ProfileDiff, is func(*schema.ProfileDelta) bool) {
	own := chosenDeltas(p.Payers, is)
	rest := callees(p, is, v.all)
	if len(own)+len(rest) == 0 {
		return
	}
	what := v.escape(wordsOf(p.Kind).name) + ": " + phrase.Count(len(own), "function") + " of the program's own"
	if len(own) == 0 {
		what = v.escape(wordsOf(p.Kind).name) + ": none of the program's own functions"
	}
	v.section(name, what)
	hidden := len(own) - v.shown(len(own), deltaRows)
	own, rest = own[:len(own)-hidden], rest[:v.shown(len(rest), calleeRows)]
	v.deltaRows(p, own, "called by")
	v.more(2, hidden, "function")
	if len(rest) > 0 {
		v.line(span{text: "  in callees and the runtime:", style: v.colour.Dim})
		v.deltaRows(p, rest, "from")
	}
}

// chosenDeltas are those that hold, the largest change first.
func chosenDeltas(all []schema.ProfileDelta, is func(*schema.ProfileDelta) bool) []*schema.ProfileDelta {
	list := selected(all, is)
	slices.SortStableFunc(list, func(a, b *schema.ProfileDelta) int {
		return cmp.Compare(math.Abs(b.Change), math.Abs(a.Change))
	})
	return list
}

// callees are the functions that hold, none of the program's own and none that runs its code: the first of each chain
// of calls, since what these call changed as they did. The collector's work has no caller. With all of them, the
// whole chains.
func callees(p *schema.ProfileDiff, is func(*schema.ProfileDelta) bool, all bool) []*schema.ProfileDelta {
	list := chosenDeltas(p.Functions, func(d *schema.ProfileDelta) bool {
		return is(d) && d.Class != "own" && !d.Dispatches
	})
	if all {
		return list
	}
	listed := map[string]bool{}
	for _, d := range list {
		listed[symbol.PlainName(d.Function)] = true
	}
	return slices.DeleteFunc(list, func(d *schema.ProfileDelta) bool {
		return len(d.Callers) > 0 && listed[d.Callers[0].Function]
	})
}

// deltaRows writes rows of numbers, function and place, and under each who calls it.
func (v *view) deltaRows(p *schema.ProfileDiff, list []*schema.ProfileDelta, verb string) {
	rows := make([]gridRow, 0, len(list))
	for _, d := range list {
		rows = append(rows, gridRow{
			cells: []string{rate(p, d.Before), rate(p, d.After), change(p, d.Change)},
			name:  v.shortFunction(d.Function), at: v.place(d.File, d.Line), verb: verb, under: v.callerText(p, d),
		})
	}
	v.writeGrid([]string{"before", "after", "change"}, rows, 0)
}

// callerText names who calls a function and how much of its change comes from there.
func (v *view) callerText(p *schema.ProfileDiff, d *schema.ProfileDelta) string {
	var parts []string
	for _, c := range d.Callers {
		if c.Change != 0 && (c.Change*d.Change >= 0 || v.all) {
			parts = append(parts, v.shortFunction(c.Function)+" ("+change(p, c.Change)+")")
		}
	}
	if more := len(parts) - v.shown(len(parts), callerCols); more > 0 {
		parts = append(parts[:callerCols], phrase.Number(more)+" more")
	}
	return strings.Join(parts, ", ")
}

// chanceDeltas counts how many functions changed within noise, and with --all which of the program's own.
func (v *view) chanceDeltas(p *schema.ProfileDiff) {
	noise := chosenDeltas(p.Payers, func(d *schema.ProfileDelta) bool { return d.Noise })
	functions := chosenDeltas(p.Functions, func(d *schema.ProfileDelta) bool { return d.Noise })
	if len(noise)+len(functions) == 0 {
		return
	}
	v.section("WITHIN NOISE", v.escape(wordsOf(p.Kind).name)+": "+phrase.Count(len(functions), "function")+
		" whose change may be chance (within 3.29 standard errors)")
	if v.all && len(noise) > 0 {
		v.deltaRows(p, noise, "called by")
	}
}

// profileFooter writes how profiles were compared and the reasons for caution.
func (v *view) profileFooter(d *schema.Diff) {
	for p := range pointers(d.Profiles) {
		n, m := len(p.Before.Inputs), len(p.After.Inputs)
		v.hanging(v.escape(wordsOf(p.Kind).name)+": functions compared by name, "+comparedBy(p)+
			textIf(p.OtherBuild, "; different builds: lines may have moved, and those shown are from AFTER")+
			textIf(n != m && (p.Rate == "amount" || p.Rate == "totals"),
				"; BEFORE adds up "+phrase.Count(n, "process")+", AFTER "+phrase.Number(m)), 0, 0)
	}
	if onlyProfiles(d) {
		v.hanging(phrase.Count(v.report.Rules.Checked, "rule")+" checked on each side; those that need several "+
			"heap profiles were checked on both sides together", 0, 0)
	}
}

// comparedBy returns what made two profiles comparable.
func comparedBy(p *schema.ProfileDiff) string {
	switch p.Rate {
	case "cores":
		return "as " + textIf(p.Kind == "cpu", "CPU ") + "seconds per second (" +
			phrase.Duration(time.Duration(p.Before.Duration)) + " before, " +
			phrase.Duration(time.Duration(p.After.Duration)) + " after)"
	case "/s":
		return "as rates per second"
	case "share":
		return "by share, because one side doesn't state its duration"
	case "totals":
		return "as totals since each process began: add ?seconds=30 to the URL for profiles that can be compared as " +
			"rates"
	}
	return "by the amount in use"
}

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
		"cpu":          {name: "CPU profile", whole: "CPU use"},
		"heap":         {amount: " in use", whole: "the heap in use"},
		"allocs":       {name: "allocation profile", amount: " allocated", whole: "allocation"},
		"mutex":        {amount: " waited", whole: "waiting for locks"},
		"block":        {amount: " waited", whole: "blocking"},
		"wall":         {name: "wall-clock profile"},
		"threadcreate": {name: "thread-creation profile"},
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
	return joined(", ", v.escape(words.name), prefixed("Go ", v.escape(p.Go)),
		textIf(p.Duration > 0, phrase.Duration(time.Duration(p.Duration))),
		textIf(p.Kind == "cpu" && p.Cores > 0, phrase.Significant(p.Cores)+" cores"),
		textIf(p.Kind != "cpu" && p.Total > 0, phrase.Amount(p.Total, p.Unit)+words.amount),
		phrase.Count(p.Samples, "sample"))
}

// writeProfiles lists the functions with most of each profile that the findings don't explain, the program's own first,
// and the reasons for caution.
func (v *view) writeProfiles() {
	shown := 0
	for i := range v.report.Profiles {
		p := &v.report.Profiles[i]
		if !v.all && shown == maxProfiles {
			more := phrase.Count(len(v.report.Profiles)-i, "more profile")
			v.section("PROFILES", more+"; --all lists their functions")
			return
		}
		listed := p.Total > 0 && len(p.Top) > 0 && (v.all || p.Explained < wellExplained)
		if !listed && len(p.Doubts) == 0 {
			continue
		}
		shown++
		v.section("PROFILE", v.at(p.Input, 0)+
			textIf(p.Explained > 0 && listed, ": findings cover "+phrase.Share(p.Explained)+" of it"))
		if listed {
			v.top(p)
		}
		v.labels(p)
		for _, d := range p.Doubts {
			v.labelled(plain("  note"), d.Text+prefixed("; ", d.Hint), proseLines)
		}
	}
}

// top writes a profile's functions in two columns of shares, as pprof calls them: cum, with what they call, and flat.
func (v *view) top(p *schema.Profile) {
	own := slices.DeleteFunc(slices.Clone(p.Top), func(f schema.TopFunction) bool { return f.Class != "own" })
	leaves := slices.DeleteFunc(slices.Clone(p.Top), func(f schema.TopFunction) bool { return f.Class == "own" })
	slices.SortStableFunc(own, func(a, b schema.TopFunction) int { return cmp.Compare(b.Cum, a.Cum) })
	slices.SortStableFunc(leaves, func(a, b schema.TopFunction) int { return cmp.Compare(b.Flat, a.Flat) })
	var rows []gridRow
	add := func(list []schema.TopFunction, style string) {
		share := func(n int64) string { return phrase.Share(float64(n) / float64(max(p.Total, 1))) }
		for _, f := range list {
			rows = append(rows, gridRow{cells: []string{share(f.Cum), share(f.Flat)}, style: style,
				name: v.function(f.Function, v.width-18)})
		}
	}
	add(own[:v.shown(len(own), v.rowsBesideLead(ownRows))], "")
	add(leaves[:v.shown(len(leaves), v.rowsBesideLead(leafRows))], v.colour.Dim)
	v.writeGrid([]string{"cum", "flat", "of " + phrase.Amount(p.Total, p.Unit)}, rows, 8)
}

// labels writes how a profile divides by its labels.
func (v *view) labels(p *schema.Profile) {
	for _, list := range groupedBy(pointers(p.Labels), func(l *schema.LabelShare) string { return l.Key }) {
		var parts []string
		for _, l := range list[:v.shown(len(list), labelRows)] {
			parts = append(parts, cmp.Or(l.Value, "(none)")+" "+phrase.Share(l.Share))
		}
		if more := len(list) - len(parts); more > 0 {
			parts = append(parts, phrase.Number(more)+" more")
		}
		v.labelled(plain("  label"), list[0].Key+": "+strings.Join(parts, ", "), proseLines)
	}
}
