package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
)

// fitTitle fills a title within MaxTitle: with the culprit's package, without it, with its last name alone, else cut.
func fitTitle(fill func(culprit string) string, b *Asked) string {
	name := "The process"
	if b.Known {
		name = frame.ShortFunc(b.Culprit.Function)
	}
	names := []string{name}
	if _, method, ok := strings.Cut(name, "."); ok {
		names = append(names, method, method[strings.LastIndexByte(frame.Base(method), '.')+1:])
	}
	title := ""
	for _, name := range names {
		if title = fill(name); utf8.RuneCountInString(title) <= MaxTitle {
			return title
		}
	}
	return cutTitle(title)
}

// percent writes a share: "38 %", "1.4 %" below ten, "0.04 %".
func percent(share float64) string {
	switch p := 100 * share; {
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.095 || p <= 0:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.2f %%", p)
	}
}

// coresOf writes what a share of a CPU profile is in cores, " (1.9 cores)"; "" where nothing tells.
func coresOf(in *ProfileInput, share float64) string {
	c := in.Cores() * share
	if c <= 0 {
		return ""
	}
	return " (" + cores(c) + ")"
}

func cores(c float64) string {
	switch {
	case c >= 9.95:
		return fmt.Sprintf("%.0f cores", c)
	case c >= 0.095:
		return fmt.Sprintf("%.1f cores", c)
	}
	return fmt.Sprintf("%.2g cores", c)
}

// amount writes a value of a profile with its unit: "57.0 s", "103 MB", "1,204".
func amount(in *ProfileInput, index int, value int64) string {
	if index >= len(in.Types) {
		return strconv.FormatInt(value, 10)
	}
	switch in.Types[index].Unit {
	case "nanoseconds":
		return seconds(float64(value) / 1e9)
	case "bytes":
		return bytesText(value)
	}
	if s := in.Seconds(value); s > 0 {
		return seconds(s)
	}
	return thousands(value)
}

func seconds(s float64) string {
	switch {
	case s >= 3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 600:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// bytesText writes bytes in units of 1,000, as heap limits and pod memory are compared: "103 MB".
func bytesText(n int64) string {
	f := float64(n)
	for _, u := range []string{"B", "kB", "MB", "GB"} {
		if f < 999.5 {
			if f < 9.95 && u != "B" {
				return fmt.Sprintf("%.1f %s", f, u)
			}
			return fmt.Sprintf("%.0f %s", f, u)
		}
		f /= 1000
	}
	return fmt.Sprintf("%.1f TB", f)
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// measure is the evidence of a claim: how much, of how much, and how sure.
func measure(in *ProfileInput, cl *Claim) string {
	s := fmt.Sprintf("%s of %s", percent(cl.Share), unit(in.Kind, in.Types[cl.index].Type))
	if in.Kind == profile.KindCPU {
		s += coresOf(in, cl.Share)
	} else {
		s += " (" + amount(in, cl.index, cl.Value) + ")"
	}
	if in.Kind == profile.KindCPU || in.Kind == profile.KindMutex || in.Kind == profile.KindBlock {
		s += fmt.Sprintf(", %s of %s samples, %s at least", thousands(cl.Samples), thousands(cl.TotalSamples), percent(cl.Lower))
	}
	return s
}

// accountOf says who asks, from where and how often, what else follows from it, and what stacks don't tell.
func accountOf(in *ProfileInput, cl *Claim) string {
	b := cl.blame
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if n := len(b.Sites); n > 1 {
		say("%s asks for it at %d call sites: %s.", frame.ShortFunc(b.Sites[0].Function), n, linesOf(b.Sites))
	}
	if e := b.Entry.Function; e != "" && (len(b.Sites) < 2 || b.Sites[0].Function != e) {
		say("It is reached from %s.", where(b.Entry))
	}
	if b.Known && b.Share < 0.95*cl.Share {
		say("%s of it comes from %s.", percent(b.Share/cl.Share), where(b.Culprit))
	}
	if len(cl.Also) > 0 {
		verb := "looks"
		if len(cl.Also) > 1 {
			verb = "look"
		}
		say("Another %s of %s follows from it (what %s %s at).", percent(min(cl.Caused, 1-cl.Share)), unit(in.Kind, in.Types[cl.index].Type), sortedIDs(cl.Also), verb)
	}
	for _, o := range cl.Beside {
		say("%s besides is what %s looks at, in the same function.", percent(o.Share+o.Caused), o.by.id)
	}
	if b.Known && b.Lost > cl.Share/2 {
		say("Only %s of these stacks show who asks: the scheduler and the collector run on stacks of their own.", percent(1-b.Lost/cl.Share))
	}
	return strings.Join(all, " ")
}

// maxLines is how many call sites are written out.
const maxLines = 6

// linesOf writes the lines of one function: "reconciler.go:41, :47, :52".
func linesOf(sites []Place) string {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b Place) int { return a.Line - b.Line })
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

// where names a function and its line: "store.(*Cache).Put (cache.go:41)".
func where(p Place) string {
	if p.File == "" {
		return frame.ShortFunc(p.Function)
	}
	return fmt.Sprintf("%s (%s:%d)", frame.ShortFunc(p.Function), frame.ShortFile(p.File), p.Line)
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
func pprofList(function string, in *ProfileInput) string {
	return "go tool pprof -list " + Quote(regexp.QuoteMeta(frame.ShortFunc(function))+"$") + " " + Quote(orFile(in.Input))
}

// sortedIDs joins ids of rules for a sentence.
func sortedIDs(ids []string) string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return strings.Join(ids, ", ")
}
