package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

const idleWords = " idle as expected"

// An inputContent is what one input holds that sections speak of.
type inputContent struct {
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
func (h *inputContent) rank() int {
	switch {
	case h == nil:
		return dullRank
	case len(h.dumps) > 0 || h.profile != nil:
		return 0
	}
	return 1
}

func (v *view) holdings() map[string]*inputContent {
	all := map[string]*inputContent{}
	of := func(path string) *inputContent {
		h := all[path]
		if h == nil {
			h = &inputContent{}
			all[path] = h
		}
		return h
	}
	for d := range pointers(v.report.Dumps) {
		h := of(d.Input)
		h.dumps = append(h.dumps, d)
	}
	for p := range pointers(v.report.Profiles) {
		of(p.Input).profile = p
	}
	for f := range pointers(v.report.Findings) {
		seen := map[string]bool{}
		for _, e := range f.Evidence {
			if !seen[e.Input] {
				seen[e.Input] = true
				of(e.Input).findings++
			}
		}
	}
	return all
}

// writeInputs writes what was read: an archive or a folder of many files in one line with the files in it that sections
// speak of; else one line an input, those with dumps and profiles first in full, those without only while there is
// room.
func (v *view) writeInputs() {
	if m := v.report.Merged; m != nil {
		v.hanging(Fleet(m), 0, 0)
		for _, line := range FleetNotes(m, v.all) {
			v.hanging(line, 2, 0)
		}
		return
	}
	if len(v.report.Inputs) == 0 {
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
func (v *view) notable(
	list []*schema.Input, all map[string]*inputContent, worst int,
) (shown []*schema.Input, hidden int) {
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
func (v *view) input(in *schema.Input, h *inputContent, indent int) {
	if h == nil {
		h = &inputContent{}
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
	if indent+width(name)+1+width(text) > min(v.width, maxProse)-2 { // one line is worth two words
		text = strings.Replace(text, idleWords, " idle", 1)
	}
	v.hanging(name+" "+text, indent, 0)
	if len(h.dumps) > 1 {
		v.each(h.dumps, indent)
	}
}

// holds describes what one input contains: "pod-log, 50 lines, no dump in it", "2 dumps, 258 goroutines".
func (v *view) holds(in *schema.Input, h *inputContent) string {
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
	return joined(", ", text, countOf(goroutines, "goroutine"))
}

// withoutDump describes an input without a dump; that it has none only where no rule had anything to look at in it.
func (v *view) withoutDump(in *schema.Input, h *inputContent) string {
	span, first := Between(in.First, in.Last), v.continues[in.Path]
	text := in.Kind + textIf(in.Lines > 0, ", "+phrase.Count(in.Lines, "line")) + prefixed(", ", span)
	switch {
	case v.copyOf(in.Path) != "":
		return text + ", a copy of " + v.at(v.copyOf(in.Path), 0)
	case first != "":
		return text + ", the rest of the dump in " + v.at(first, 0)
	case h.findings > 0:
		return text + "; " + phrase.Count(h.findings, "finding")
	case span == "" && !v.minedInputs[in.Path] && mayHoldDump(in.Kind):
		return text + ", no dump in it"
	}
	return text
}

// copyOf is the input that one is a copy of, "" for none.
func (v *view) copyOf(path string) string {
	for i := range v.report.Skipped {
		if s := &v.report.Skipped[i]; s.Path == path && s.CopyOf() != "" {
			return s.CopyOf()
		}
	}
	return ""
}

// mayHoldDump reports kinds of inputs of which it is worth saying that they hold no dump.
func mayHoldDump(kind string) bool {
	switch ingest.Kind(kind) {
	case ingest.KindKubernetesObjects, ingest.KindAuditLog, ingest.KindKubectlText, ingest.KindMetrics,
		ingest.KindCgroup:
		return false
	}
	return true
}

// each writes where in the input each of its dumps begins, and what it is; indented by indent columns.
func (v *view) each(dumps []*schema.Dump, indent int) {
	shown := v.shown(len(dumps), inputRows)
	manyPods := slices.ContainsFunc(dumps, func(d *schema.Dump) bool { // kubectl logs --prefix, stern
		return d.Pod != dumps[0].Pod || d.Container != dumps[0].Container
	})
	for _, d := range dumps[:shown] {
		of := textIf(d.Pod != "" && manyPods, ", "+d.Pod+"/"+d.Container)
		v.hanging("line "+phrase.Number(d.Line)+of+prefixed(", ", d.Time)+": "+v.dump(d), indent+2, 0)
	}
	v.more(indent+2, len(dumps)-shown, "dump")
}

// dump describes one dump: "SIGABRT, Go 1.18, 2,764 goroutines in 48 groups; 2,751 where they should be".
func (v *view) dump(d *schema.Dump) string {
	inPlace := v.inPlace(d)
	return joined(", ", v.trigger(d), prefixed("Go ", d.Go),
		textIf(d.Goroutines > 0 || d.Format != string(stackparse.FormatRace),
			phrase.Count(d.Goroutines, "goroutine")+
				textIf(v.report.Where == "", " in "+phrase.Count(len(d.Buckets)+d.BucketsCut, "group"))),
		textIf(d.Seen > 1, "printed "+phrase.Count(d.Seen, "time"))) +
		textIf(inPlace > 0, "; "+phrase.Number(inPlace)+idleWords) +
		textIf(d.EndInput != "" && d.EndInput != d.Input, "; continues in "+v.at(d.EndInput, 0)) +
		map[string]string{
			"head": "; its beginning is missing",
			"tail": "; its end is missing",
			"both": "; its beginning and its end are missing",
		}[d.Truncated]
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
	return cmp.Or(map[stackparse.Format]string{
		stackparse.FormatSignal:  "runtime traceback",
		stackparse.FormatDebug2:  "all stacks (debug=2)",
		stackparse.FormatDebug1:  "goroutine profile (debug=1)",
		stackparse.FormatProfile: "goroutine profile",
		stackparse.FormatRace:    "data race report",
	}[stackparse.Format(d.Format)], v.escape(d.Format))
}

// inPlace counts a dump's goroutines that their role explains.
func (v *view) inPlace(d *schema.Dump) int {
	n := 0
	for b := range pointers(d.Buckets) {
		if b.Expected() {
			n += v.unexplained(b)
		}
	}
	return n
}

func isLog(kind string) bool {
	return kind == string(ingest.KindPodLog) || kind == string(ingest.KindTextLog)
}

// bundles writes the archives and folders of many files, and returns the inputs that are in none of them.
func (v *view) bundles(all map[string]*inputContent) (rest []*schema.Input) {
	inside := make([][]*schema.Input, len(v.report.Bundles))
	for in := range pointers(v.report.Inputs) {
		if at := v.bundleOf(in.Path); at >= 0 {
			inside[at] = append(inside[at], in)
		} else {
			rest = append(rest, in)
		}
	}
	hidden := 0
	for i := range v.report.Bundles {
		switch {
		case len(inside[i]) == 0:
		case i < inputRows || v.all:
			v.bundle(&v.report.Bundles[i], inside[i], all)
		default:
			hidden++
		}
	}
	v.more(0, hidden, "archive", " and folders")
	return rest
}

// bundleOf is the index of the bundle that path lies in, -1 where it is in none of those that get a line of their own:
// a few files are better named.
func (v *view) bundleOf(path string) int {
	at := -1
	for i := range v.report.Bundles {
		b := &v.report.Bundles[i]
		if b.Holds(path) && (at < 0 || len(b.Path) > len(v.report.Bundles[at].Path)) {
			at = i
		}
	}
	if at >= 0 && v.report.Bundles[at].Files <= inputRows {
		return -1
	}
	return at
}

// bundle writes what one of many files holds, and names the files in it that sections speak of.
func (v *view) bundle(b *schema.Bundle, files []*schema.Input, all map[string]*inputContent) {
	v.hanging(v.bundleName(b)+": "+bundleText(b), 0, 0)
	v.hanging(bundleKinds(b), 2, 0)
	worst := dullRank - 1
	if v.all {
		worst = dullRank
	}
	shown, hidden := v.notable(files, all, worst)
	for _, in := range shown {
		v.input(in, all[in.Path], 2)
	}
	v.more(2, hidden, "file", " with dumps, profiles or findings")
}

func (v *view) bundleName(b *schema.Bundle) string {
	switch b.Path {
	case "-":
		return "stdin"
	case ".":
		return "this folder"
	}
	return cutLeft(v.escape(lastElements(b.Path, 1)), max(v.width*4/5, 24), v.glyphs.ellipsis)
}

// bundleText describes a bundle: "OpenShift must-gather, 3,605 files, 80 MB, from 3 nodes and 212 pods". Nodes and pods
// are those that files are of: its objects may name more.
func bundleText(b *schema.Bundle) string {
	return joined(", ", b.Layout, phrase.Count(b.Files, "file"), phrase.Amount(b.Bytes, "bytes"),
		prefixed("from ", phrase.List(nonEmpty([]string{countOf(b.Nodes, "node"), countOf(b.Pods, "pod")}))))
}

// bundleKinds describes its files: "571 logs (2021-08-03 09:23 to 11:02), 2,877 files of objects; 12 not read".
func bundleKinds(b *schema.Bundle) string {
	logs := int64(0)
	parts := []string{""}
	for _, k := range b.Kinds {
		if isLog(k.Name) {
			logs += k.Count
		} else {
			parts = append(parts, ofKind(k))
		}
	}
	parts[0] = textIf(logs > 0, phrase.Count(logs, "log")+phrase.InBrackets(Between(b.First, b.Last)))
	return joined(", ", parts...) +
		textIf(b.Skipped > 0, "; "+phrase.Number(b.Skipped)+" not read in whole or in part")
}

// ofKind returns how many files of a kind there are: "3 audit logs".
func ofKind(k schema.Tally) string {
	switch ingest.Kind(k.Name) {
	case ingest.KindKubernetesObjects:
		return phrase.Count(k.Count, "file") + " of objects"
	case ingest.KindKubectlText:
		return phrase.Count(k.Count, "file") + " of kubectl's output"
	case ingest.KindMetrics:
		return phrase.Count(k.Count, "file") + " of metrics"
	case ingest.KindCgroup:
		return phrase.Count(k.Count, "file") + " of control groups"
	case ingest.KindAuditLog, ingest.KindGoroutineDump, ingest.KindTriageReport:
		return phrase.Count(k.Count, strings.ReplaceAll(k.Name, "-", " "))
	case ingest.KindUnknown:
		return phrase.Number(k.Count) + " of unknown kind"
	}
	return phrase.Count(k.Count, k.Name)
}
