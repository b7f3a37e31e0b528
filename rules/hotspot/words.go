package hotspot

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// coresOf writes what a share of a CPU profile is in cores, " (1.9 cores)"; "" where it is unknown.
func coresOf(in *rules.ProfileInput, share float64) string {
	c := in.Cores() * share
	if c <= 0 {
		return ""
	}
	return " (" + phrase.Cores(c) + ")"
}

// amount writes a value of a profile with its unit: "57.0 s", "103 MB", "1,204".
func amount(in *rules.ProfileInput, index int, value int64) string {
	if index >= len(in.Types) {
		return strconv.FormatInt(value, 10)
	}
	switch in.Types[index].Unit {
	case "nanoseconds":
		return phrase.Seconds(float64(value) / 1e9)
	case "bytes":
		return phrase.BytesText(value)
	}
	if s := in.Seconds(value); s > 0 {
		return phrase.Seconds(s)
	}
	return phrase.Thousands(value)
}

// measure is the evidence of a claim: how much, of how much, and how sure.
func measure(in *rules.ProfileInput, cl *Claim) string {
	s := fmt.Sprintf("%s of %s", phrase.Percent(cl.Share), unit(in.Kind, in.Types[cl.Index].Type))
	if in.Kind == profile.KindCPU {
		s += coresOf(in, cl.Share)
	} else {
		s += " (" + amount(in, cl.Index, cl.Weight.Value) + ")"
	}
	if in.Kind == profile.KindCPU || in.Kind == profile.KindMutex || in.Kind == profile.KindBlock {
		s += fmt.Sprintf(", %s of %s samples, %s at least", phrase.Thousands(cl.Weight.Samples), phrase.Thousands(cl.TotalSamples),
			phrase.Percent(cl.Lower))
	}
	return s
}

// accountOf is the text of who asks, from where and how often, what else follows from it, and what stacks don't show.
func accountOf(in *rules.ProfileInput, cl *Claim) string {
	b := cl.Blame
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if n := len(b.Sites); n > 1 {
		say("%s asks for it at %d call sites: %s.", frame.ShortFunc(b.Sites[0].Function), n, linesOf(b.Sites))
	}
	if e := b.Entry.Function; e != "" && (len(b.Sites) < 2 || b.Sites[0].Function != e) {
		say("It is reached from %s.", rules.PlaceText(b.Entry))
	}
	if b.Known && b.Share < 0.95*cl.Share {
		say("%s of it comes from %s.", phrase.Percent(b.Share/cl.Share), rules.PlaceText(b.Culprit))
	}
	if len(cl.Also) > 0 {
		verb := "looks"
		if len(cl.Also) > 1 {
			verb = "look"
		}
		say("Another %s of %s follows from it (what %s %s at).", phrase.Percent(min(cl.Caused, 1-cl.Share)),
			unit(in.Kind, in.Types[cl.Index].Type), strings.Join(slices.Sorted(slices.Values(cl.Also)), ", "), verb)
	}
	for _, o := range cl.Beside {
		say("%s besides is what %s looks at, in the same function.", phrase.Percent(o.Share+o.Caused), o.by.ID)
	}
	if b.Known && b.Lost > cl.Share/2 {
		say("Only %s of these stacks show who asks: the scheduler and the collector run on stacks of their own.",
			phrase.Percent(1-b.Lost/cl.Share))
	}
	return strings.Join(all, " ")
}

// maxLines is how many call sites are written out.
const maxLines = 6

// linesOf writes the lines of one function: "reconciler.go:41, :47, :52".
func linesOf(sites []rules.Place) string {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b rules.Place) int { return a.Line - b.Line })
	var sb strings.Builder
	for i, p := range sites[:min(len(sites), maxLines)] {
		switch {
		case i == 0:
			sb.WriteString(frame.ShortFile(p.File))
		case p.File != sites[i-1].File:
			sb.WriteString(", " + frame.ShortFile(p.File))
		default:
			sb.WriteString(", ")
		}
		sb.WriteString(":" + strconv.Itoa(p.Line))
	}
	if n := len(sites) - maxLines; n > 0 {
		fmt.Fprintf(&sb, " and %d more", n)
	}
	return sb.String()
}

// dumpOverHTTP takes a dump from a process that served a profile: it has the port for it.
const dumpOverHTTP = "curl -s 'http://localhost:6060/debug/pprof/goroutine?debug=2' | triage"

// orFile is a profile's path for commands; FILE for standard input.
func orFile(path string) string {
	if path == "" || path == "-" {
		return "FILE"
	}
	return path
}

// pprofList is the command that shows a function's lines with what each takes.
func pprofList(function string, in *rules.ProfileInput) string {
	return "go tool pprof -list " + rules.Quote(regexp.QuoteMeta(frame.ShortFunc(function))+"$") + " " +
		rules.Quote(orFile(in.Input))
}

// unit is what a profile's shares are of, for sentences: "CPU", "the heap in use".
func unit(kind profile.Kind, value string) string {
	switch {
	case kind == profile.KindCPU:
		return "CPU"
	case kind == profile.KindMutex:
		return "the time that goroutines waited for locks"
	case kind == profile.KindBlock:
		return "the time that goroutines were blocked"
	case kind == profile.KindWall:
		return "the time of all goroutines"
	case value == "alloc_space":
		return "all bytes allocated"
	case value == "inuse_space":
		return "the heap in use"
	}
	return "the profile"
}
