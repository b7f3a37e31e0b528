package report

import (
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

func isLog(kind string) bool {
	return kind == string(ingest.KindPodLog) || kind == string(ingest.KindTextLog)
}

// bundles writes the archives and folders of many files, and returns the inputs that are in none of them.
func (v *view) bundles(all map[string]*holding) (rest []*schema.Input) {
	inside := make([][]*schema.Input, len(v.r.Bundles))
	for in := range pointers(v.r.Inputs) {
		if at := v.bundleOf(in.Path); at >= 0 {
			inside[at] = append(inside[at], in)
		} else {
			rest = append(rest, in)
		}
	}
	hidden := 0
	for i := range v.r.Bundles {
		switch {
		case len(inside[i]) == 0:
		case i < inputRows || v.all:
			v.bundle(&v.r.Bundles[i], inside[i], all)
		default:
			hidden++
		}
	}
	if hidden > 0 {
		v.line(plain("+" + phrase.Count(hidden, "more archive") + " and folders"))
	}
	return rest
}

// bundleOf is the index of the bundle that path lies in, -1 where it is in none of those that get a line of their own:
// a few files are better named.
func (v *view) bundleOf(path string) int {
	at := -1
	for i := range v.r.Bundles {
		b := &v.r.Bundles[i]
		if b.Holds(path) && (at < 0 || len(b.Path) > len(v.r.Bundles[at].Path)) {
			at = i
		}
	}
	if at >= 0 && v.r.Bundles[at].Files <= inputRows {
		return -1
	}
	return at
}

// bundle writes what one of many files holds, and names the files in it that sections speak of.
func (v *view) bundle(b *schema.Bundle, files []*schema.Input, all map[string]*holding) {
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
	if hidden > 0 {
		v.line(plain("  +" + phrase.Count(hidden, "more file") + " with dumps, profiles or findings"))
	}
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

// bundleText describes a bundle: "OpenShift must-gather, 3,605 files, 80 MB, 3 nodes, 212 pods".
func bundleText(b *schema.Bundle) string {
	return joined(", ", b.Layout, phrase.Count(b.Files, "file"), phrase.Amount(b.Bytes, "bytes"),
		countOf(b.Nodes, "node"), countOf(b.Pods, "pod"))
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
	parts[0] = given(logs > 0, phrase.Count(logs, "log")+aside(between(b.First, b.Last)))
	return joined(", ", parts...) +
		given(b.Skipped > 0, "; "+phrase.Number(b.Skipped)+" not read in whole or in part")
}

// ofKind returns how many files of a kind there are: "3 audit logs".
func ofKind(k schema.Tally) string {
	switch ingest.Kind(k.Name) {
	case ingest.KindKubernetesObjects:
		return phrase.Count(k.Count, "file") + " of objects"
	case ingest.KindAuditLog, ingest.KindGoroutineDump, ingest.KindTriageReport:
		return phrase.Count(k.Count, strings.ReplaceAll(k.Name, "-", " "))
	case ingest.KindUnknown:
		return phrase.Number(k.Count) + " of unknown kind"
	}
	return phrase.Count(k.Count, k.Name)
}
