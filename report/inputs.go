package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

const inPlaceWords = " where they should be"

// A holding is what one input holds that sections speak of.
type holding struct {
	dumps    []*schema.Dump
	profile  *schema.Profile
	findings int // that have evidence in it
}

// toldRows is up to how many rows of a bundle are filled with files that only findings speak of: their evidence names
// them again.
const toldRows = 3

// dullRank is the rank of inputs that no section speaks of.
const dullRank = 2

// rank orders inputs: those with dumps and profiles, those with findings, the others.
func (h *holding) rank() int {
	switch {
	case h == nil:
		return dullRank
	case len(h.dumps) > 0 || h.profile != nil:
		return 0
	}
	return 1
}

func (v *view) holdings() map[string]*holding {
	all := map[string]*holding{}
	of := func(path string) *holding {
		h := all[path]
		if h == nil {
			h = &holding{}
			all[path] = h
		}
		return h
	}
	for i := range v.r.Dumps {
		h := of(v.r.Dumps[i].Input)
		h.dumps = append(h.dumps, &v.r.Dumps[i])
	}
	for i := range v.r.Profiles {
		of(v.r.Profiles[i].Input).profile = &v.r.Profiles[i]
	}
	for i := range v.r.Findings {
		seen := map[string]bool{}
		for _, e := range v.r.Findings[i].Evidence {
			if !seen[e.Input] {
				seen[e.Input] = true
				of(e.Input).findings++
			}
		}
	}
	return all
}

// inputs writes what was read: an archive or a folder of many files in one line with the files in it that sections
// speak of; else one line an input, those with dumps and profiles first in full, those without only while there is
// room.
func (v *view) inputs() {
	if len(v.r.Inputs) == 0 {
		v.line(plain("no input was read"))
		return
	}
	all := v.holdings()
	rest := v.bundles(all)
	shown, hidden := v.notable(rest, all, dullRank)
	for _, in := range shown {
		v.input(in, all[in.Path], 0)
	}
	v.more(0, hidden, "input")
}

// notable are the inputs of list up to the rank worst that there is room for, in the order of their ranks, and how many
// more there are.
func (v *view) notable(list []*schema.Input, all map[string]*holding, worst int) (shown []*schema.Input, hidden int) {
	for rank := range worst + 1 {
		for _, in := range list {
			switch {
			case all[in.Path].rank() != rank:
			case (len(shown) >= inputRows || rank == worst && worst < dullRank && len(shown) >= toldRows) && !v.all:
				hidden++
			default:
				shown = append(shown, in)
			}
		}
	}
	return shown, hidden
}

// input writes what one input is and contains, indented by indent columns.
func (v *view) input(in *schema.Input, h *holding, indent int) {
	if h == nil {
		h = &holding{}
	}
	name, text := v.at(in.Path, 0)+":", ""
	if indent > 0 { // many logs of an archive end alike
		name = v.atIn(in.Path, 0, v.width/2) + ":"
	}
	if h.profile != nil {
		text = v.profile(h.profile)
	} else {
		text = v.holds(in, h)
	}
	if indent+width(name)+1+width(text) > min(v.width, maxProse)-2 { // one line is worth a word
		text = strings.Replace(text, inPlaceWords, " in place", 1)
	}
	v.hanging(name+" "+text, indent, 0)
	if len(h.dumps) > 1 {
		v.each(h.dumps, indent)
	}
}

// continued maps the files that a dump runs on through, where rotation cut it, to the file that it begins in.
func (v *view) continued() map[string]string {
	rest := map[string]string{}
	for i := range v.r.Dumps {
		d := &v.r.Dumps[i]
		if d.EndInput == "" || d.EndInput == d.Input {
			continue
		}
		inside := false
		for k := range v.r.Inputs { // files of one log are in order of time
			path := v.r.Inputs[k].Path
			if inside {
				rest[path] = d.Input
			}
			if path == d.Input || path == d.EndInput {
				inside = path == d.Input
			}
		}
	}
	return rest
}

// holds describes what one input contains: "pod-log, 50 lines, no dump in it", "2 dumps, 258 goroutines".
func (v *view) holds(in *schema.Input, h *holding) string {
	dumps := h.dumps
	switch len(dumps) {
	case 0:
		return v.withoutDump(in, h)
	case 1:
		if dumps[0].Format == string(stackparse.FormatRace) {
			return v.dump(dumps[0])
		}
		return "1 dump, " + v.dump(dumps[0])
	}
	goroutines, races := 0, 0
	for _, d := range dumps {
		goroutines += d.Goroutines
		if d.Format == string(stackparse.FormatRace) {
			races++
		}
	}
	text := phrase.Count(len(dumps), "dump")
	if races == len(dumps) {
		text = phrase.Count(races, "data race report")
	}
	if goroutines > 0 {
		text += ", " + phrase.Count(goroutines, "goroutine")
	}
	return text
}

// withoutDump describes an input without a dump; that it has none only where no rule had anything to look at in it.
func (v *view) withoutDump(in *schema.Input, h *holding) string {
	text := in.Kind
	if in.Lines > 0 {
		text += ", " + phrase.Count(in.Lines, "line")
	}
	span := between(in.First, in.Last)
	if span != "" {
		text += ", " + span
	}
	first := v.rest[in.Path]
	switch {
	case first != "":
		return text + ", the rest of the dump in " + v.at(first, 0)
	case h.findings > 0:
		return text + "; " + phrase.Count(h.findings, "finding")
	case span == "" && !v.mined[in.Path] && in.Kind != string(ingest.KindKubernetesObjects) && in.Kind != string(ingest.KindAuditLog):
		return text + ", no dump in it"
	}
	return text
}

// each writes where in the input each of its dumps begins, and what it is; indented by indent columns.
func (v *view) each(dumps []*schema.Dump, indent int) {
	shown := v.shown(len(dumps), inputRows)
	for _, d := range dumps[:shown] {
		at := ""
		if d.Pod != "" && manyPods(dumps) {
			at = ", " + d.Pod + "/" + d.Container
		}
		if d.Time != "" {
			at += ", " + d.Time
		}
		v.hanging("line "+phrase.Number(d.Line)+at+": "+v.dump(d), indent+2, 0)
	}
	v.more(indent+2, len(dumps)-shown, "dump")
}

// manyPods reports whether dumps of one input are of several containers: kubectl logs --prefix, stern.
func manyPods(dumps []*schema.Dump) bool {
	return slices.ContainsFunc(dumps, func(d *schema.Dump) bool {
		return d.Pod != dumps[0].Pod || d.Container != dumps[0].Container
	})
}

// dump describes one dump: "SIGABRT, Go 1.18, 2,764 goroutines in 48 groups; 2,751 where they should be".
func (v *view) dump(d *schema.Dump) string {
	parts := []string{v.trigger(d)}
	if d.Go != "" {
		parts = append(parts, "Go "+d.Go)
	}
	if d.Goroutines > 0 || d.Format != string(stackparse.FormatRace) {
		parts = append(parts, phrase.Count(d.Goroutines, "goroutine")+" in "+phrase.Count(len(d.Buckets), "group"))
	}
	if d.Seen > 1 {
		parts = append(parts, "printed "+phrase.Count(d.Seen, "time"))
	}
	text := strings.Join(parts, ", ")
	if n := v.inPlace(d); n > 0 {
		text += "; " + phrase.Number(n) + inPlaceWords
	}
	if d.EndInput != "" && d.EndInput != d.Input {
		text += "; it goes on in " + v.at(d.EndInput, 0)
	}
	switch d.Truncated {
	case "head":
		text += "; its beginning is missing"
	case "tail":
		text += "; its end is missing"
	case "both":
		text += "; its beginning and its end are missing"
	}
	return text
}

// trigger is what made the process print the dump: the signal, else the reason, else the format.
func (v *view) trigger(d *schema.Dump) string {
	if d.Signal != "" {
		name, _, _ := strings.Cut(d.Signal, ":")
		return v.escape(name)
	}
	if strings.HasPrefix(d.Reason, "panic:") {
		return "panic"
	}
	if d.Reason != "" {
		// Half of the first line at 100 columns; the findings have the rest.
		return cut(v.escape(collapse(d.Reason)), 50, v.glyphs.ellipsis)
	}
	switch stackparse.Format(d.Format) {
	case stackparse.FormatSignal:
		return "runtime traceback"
	case stackparse.FormatDebug2:
		return "all stacks (debug=2)"
	case stackparse.FormatDebug1:
		return "counted stacks (debug=1)"
	case stackparse.FormatProfile:
		return "goroutine profile"
	case stackparse.FormatRace:
		return "data race report"
	}
	return v.escape(d.Format)
}

// inPlace counts a dump's goroutines that have a role and that no finding speaks of.
func (v *view) inPlace(d *schema.Dump) int {
	n := 0
	for i := range d.Buckets {
		if b := &d.Buckets[i]; b.Role != "" {
			n += b.Count - v.accused[b]
		}
	}
	return n
}
