package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// reasonRows is how many reasons are shown where there are more skips than rows: those of an archive made to harm
	// fit.
	reasonRows = 8
	skipNames  = 2 // that are not read for one reason
)

// A skipGroup is what was not read for one reason.
type skipGroup struct {
	named bool // one of them was named by the user
	like  bool // their reasons differ in names and numbers
	list  []*schema.Skipped
}

// skipped names what was not read, and what may help. Many are grouped by their reason: what the user named first, then
// what is rare, since a bomb among a thousand links must be seen.
func (v *view) skipped() {
	if len(v.r.Skipped) == 0 {
		return
	}
	if len(v.r.Skipped) <= skippedRows || v.all {
		v.section("NOT READ", "in whole or in part")
		for s := range pointers(v.r.Skipped) {
			v.skippedRow(v.entry(s.Path)+": "+s.Reason, s.Hint)
		}
		return
	}
	v.section("NOT READ", phrase.Number(len(v.r.Skipped))+", in whole or in part; --all lists them")
	groups := v.skipGroups()
	for i, g := range groups {
		if i == reasonRows {
			n := 0
			for _, g := range groups[i:] {
				n += len(g.list)
			}
			v.line(plain("  +" + phrase.Number(n) + " more for " + phrase.Count(len(groups)-i, "more reason")))
			break
		}
		v.skipGroup(g)
	}
}

func (v *view) skipGroup(g *skipGroup) {
	first := g.list[0]
	if len(g.list) == 1 {
		v.skippedRow(v.entry(first.Path)+": "+first.Reason, first.Hint)
		return
	}
	text := phrase.Number(len(g.list)) + " like " + v.entry(first.Path) + ": " + first.Reason
	if !g.like {
		n := len(g.list)
		text = first.Reason + ": " + v.some(n, n, skipNames, func(i int) string { return v.entry(g.list[i].Path) })
	}
	v.skippedRow(text, first.Hint)
}

func (v *view) skippedRow(text, hint string) {
	v.hanging(text, 2, proseLines)
	if hint != "" {
		v.labelled(plain("    hint"), hint, proseLines)
	}
}

func (v *view) skipGroups() []*skipGroup {
	byReason := map[string]*skipGroup{}
	var groups []*skipGroup
	for s := range pointers(v.r.Skipped) {
		key := reasonKind(s.Reason)
		g := byReason[key]
		if g == nil {
			g = &skipGroup{}
			byReason[key] = g
			groups = append(groups, g)
		}
		g.named = g.named || s.Named
		g.like = g.like || len(g.list) > 0 && g.list[0].Reason != s.Reason
		g.list = append(g.list, s)
	}
	slices.SortStableFunc(groups, func(a, b *skipGroup) int {
		return cmp.Or(firstWith(a.named, b.named), cmp.Compare(len(a.list), len(b.list)))
	})
	return groups
}

// firstWith orders what has a property before what hasn't.
func firstWith(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// entry shows what was not read by its path inside its archive, since no name of it may be known: "nodes/node-1.zip".
func (v *view) entry(path string) string {
	archive, name, ok := strings.Cut(path, ingest.InsideArchive)
	if !ok {
		return v.at(path, 0)
	}
	if len(v.r.Bundles) > 1 {
		name = lastElements(archive, 1) + ingest.InsideArchive + name
	}
	return cutLeft(v.escape(name), max(v.width/2, 24), v.glyphs.ellipsis)
}

// reasonKind is a reason without what differs from file to file: numbers, paths, what is in quotes or behind a colon.
func reasonKind(reason string) string {
	reason, _, _ = strings.Cut(reason, ": ")
	words := strings.Fields(reason)
	quoted := false
	kept := words[:0]
	for _, w := range words {
		marks := strings.Count(w, `"`)
		switch {
		case quoted || marks > 0 || strings.ContainsAny(w, `/\`) || strings.ContainsFunc(w, unicode.IsDigit):
		default:
			kept = append(kept, w)
		}
		if marks%2 == 1 {
			quoted = !quoted
		}
	}
	return strings.Join(kept, " ")
}
