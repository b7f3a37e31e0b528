package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/triage"
)

// The report contract's dump formats (Dump.Format).
const (
	formatSignal  = "signal"
	formatDebug2  = "debug2"
	formatDebug1  = "debug1"
	formatProfile = "profile"
	formatRace    = "race"
)

const inPlaceWords = " where they should be"

// inputs says what was read, one line an input: those with dumps and profiles first in full, those without only while there is room.
func (v *view) inputs() {
	dumps := map[string][]*triage.Dump{}
	for i := range v.r.Dumps {
		d := &v.r.Dumps[i]
		dumps[d.Input] = append(dumps[d.Input], d)
	}
	profiles := map[string]*triage.Profile{}
	for i := range v.r.Profiles {
		profiles[v.r.Profiles[i].Input] = &v.r.Profiles[i]
	}
	rows, hidden := 0, 0
	for _, withDump := range []bool{true, false} {
		for i := range v.r.Inputs {
			in := &v.r.Inputs[i]
			if (len(dumps[in.Path]) > 0 || profiles[in.Path] != nil) != withDump {
				continue
			}
			if rows >= inputRows && !v.all {
				hidden++
				continue
			}
			rows++
			v.input(in, dumps[in.Path], profiles[in.Path])
		}
	}
	if hidden > 0 {
		v.line(plain("+" + count(hidden, "more input")))
	}
	if len(v.r.Inputs) == 0 {
		v.line(plain("no input was read"))
	}
}

func (v *view) input(in *triage.Input, dumps []*triage.Dump, profile *triage.Profile) {
	name, text := v.at(in.Path, 0)+":", ""
	if profile != nil {
		text = v.profile(profile)
	} else {
		text = v.holds(in, dumps)
	}
	if width(name)+1+width(text) > min(v.width, maxProse)-2 { // one line is worth a word
		text = strings.Replace(text, inPlaceWords, " in place", 1)
	}
	for i, l := range v.wrapped(name+" "+text, 2, 0) {
		if i > 0 {
			l = "  " + l
		}
		v.line(plain(l))
	}
	if len(dumps) > 1 {
		v.each(dumps)
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
		for k := range v.r.Inputs { // files of one log stand in order of time
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

// holds says what one input holds: "pod-log, 50 lines, no dump in it", "2 dumps, 258 goroutines".
func (v *view) holds(in *triage.Input, dumps []*triage.Dump) string {
	switch len(dumps) {
	case 0:
		text := in.Kind
		if in.Lines > 0 {
			text += ", " + count(in.Lines, "line")
		}
		if first := v.rest[in.Path]; first != "" {
			return text + ", the rest of the dump in " + v.at(first, 0)
		}
		return text + ", no dump in it"
	case 1:
		if dumps[0].Format == formatRace {
			return v.dump(dumps[0])
		}
		return "1 dump, " + v.dump(dumps[0])
	}
	goroutines, races := 0, 0
	for _, d := range dumps {
		goroutines += d.Goroutines
		if d.Format == formatRace {
			races++
		}
	}
	text := count(len(dumps), "dump")
	if races == len(dumps) {
		text = count(races, "data race report")
	}
	if goroutines > 0 {
		text += ", " + count(goroutines, "goroutine")
	}
	return text
}

// each says where in the input each of its dumps begins, and what it is.
func (v *view) each(dumps []*triage.Dump) {
	shown := dumps
	if !v.all && len(shown) > inputRows {
		shown = shown[:inputRows]
	}
	for _, d := range shown {
		at := ""
		if d.Pod != "" && manyPods(dumps) {
			at = ", " + d.Pod + "/" + d.Container
		}
		if d.Time != "" {
			at += ", " + d.Time
		}
		for i, l := range v.wrapped("line "+number(d.Line)+at+": "+v.dump(d), 4, 0) {
			if i > 0 {
				l = "  " + l
			}
			v.line(plain("  " + l))
		}
	}
	if hidden := len(dumps) - len(shown); hidden > 0 {
		v.line(plain("  +" + count(hidden, "more dump")))
	}
}

// manyPods reports whether dumps of one input are of several containers: kubectl logs --prefix, stern.
func manyPods(dumps []*triage.Dump) bool {
	return slices.ContainsFunc(dumps, func(d *triage.Dump) bool { return d.Pod != dumps[0].Pod || d.Container != dumps[0].Container })
}

// dump says what one dump is: "SIGABRT, Go 1.18, 2,764 goroutines in 48 groups; 2,751 where they should be".
func (v *view) dump(d *triage.Dump) string {
	parts := []string{v.trigger(d)}
	if d.Go != "" {
		parts = append(parts, "Go "+d.Go)
	}
	if d.Goroutines > 0 || d.Format != formatRace {
		parts = append(parts, count(d.Goroutines, "goroutine")+" in "+count(len(d.Buckets), "group"))
	}
	if d.Seen > 1 {
		parts = append(parts, "printed "+count(d.Seen, "time"))
	}
	text := strings.Join(parts, ", ")
	if n := v.inPlace(d); n > 0 {
		text += "; " + number(n) + inPlaceWords
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

// trigger says what made the process print the dump: the signal, else the reason, else the format.
func (v *view) trigger(d *triage.Dump) string {
	if d.Signal != "" {
		name, _, _ := strings.Cut(d.Signal, ":")
		return v.escape(name)
	}
	if strings.HasPrefix(d.Reason, "panic:") {
		return "panic"
	}
	if d.Reason != "" {
		// Half of the first line at 100 columns; the findings tell the rest.
		return cut(v.escape(collapse(d.Reason)), 50, v.glyphs.ellipsis)
	}
	switch d.Format {
	case formatSignal:
		return "runtime traceback"
	case formatDebug2:
		return "all stacks (debug=2)"
	case formatDebug1:
		return "counted stacks (debug=1)"
	case formatProfile:
		return "goroutine profile"
	case formatRace:
		return "data race report"
	}
	return v.escape(d.Format)
}

// inPlace counts a dump's goroutines that have a role and that no finding speaks of.
func (v *view) inPlace(d *triage.Dump) int {
	n := 0
	for i := range d.Buckets {
		if b := &d.Buckets[i]; b.Role != "" {
			n += b.Count - v.accused[b]
		}
	}
	return n
}
