package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// roles writes what was subtracted: how many goroutines do what. Those that a finding speaks of don't count.
func (v *view) roles() {
	docs := map[string]string{}
	tally := map[string]int{}
	for d := range pointers(v.r.Dumps) {
		for _, r := range d.Roles {
			docs[r.Role] = r.Doc
		}
		for b := range pointers(d.Buckets) {
			if b.Role != "" && b.Count > v.accused[b] {
				tally[b.Role] += b.Count - v.accused[b]
			}
		}
	}
	if len(tally) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(tally), func(a, b string) int {
		return cmp.Or(cmp.Compare(tally[b], tally[a]), cmp.Compare(a, b))
	})
	shown := names[:v.fitting(len(names), roleRows)]
	column := 0
	for _, name := range shown {
		column = max(column, width(v.escape(name)))
	}
	v.section("ROLES", "of those that are where they should be")
	for _, name := range shown {
		text := pad(v.escape(name), column) + "  " + v.escape(collapse(docs[name]))
		v.line(plain(padLeft(phrase.Number(tally[name]), 7)+"  "), plain(cut(text, v.width-9, v.glyphs.ellipsis)))
	}
	n := 0
	for _, name := range names[len(shown):] {
		n += tally[name]
	}
	v.inMore(n, len(names)-len(shown), "role")
}

// inMore writes how many goroutines the rows have that are left out.
func (v *view) inMore(goroutines, rows int, noun string) {
	if rows > 0 {
		v.line(plain(padLeft(phrase.Number(goroutines), 7) + "  in " + phrase.Count(rows, "more "+noun)))
	}
}

// A group is a distinct stack without a role, over all dumps.
type group struct {
	b     *schema.Bucket
	frame schema.Frame
	rank  int // of its frame's class: the program's own code first
	count int
	dumps int
}

// noRole lists what is left after the findings, the running ones and the roles. With --all the groups do.
func (v *view) noRole() {
	if v.all {
		return
	}
	list, goroutines := v.leftovers()
	if len(list) == 0 {
		return
	}
	shown := list[:v.fitting(len(list), noRoleRows)]
	column, placeColumn := 0, 0
	for _, g := range shown {
		column = max(column, width(v.shortFunction(g.frame.Function)))
		placeColumn = max(placeColumn, width(v.place(g.frame.File, g.frame.Line)))
	}
	column = min(column, v.width*2/3)
	v.section("NO ROLE", phrase.Count(goroutines, "goroutine")+" in "+
		phrase.Count(len(list), "group")+" that no role explains; nothing accuses them")
	for _, g := range shown {
		line := padLeft(phrase.Number(g.count), 7) + "  " + pad(v.shortFunction(g.frame.Function), column) + "  " +
			pad(v.place(g.frame.File, g.frame.Line), placeColumn)
		state := "[" + v.state(g.b) + "]" + given(g.dumps > 1, " in "+phrase.Count(g.dumps, "dump"))
		v.line(plain(v.withTail(line, state)))
		goroutines -= g.count
	}
	v.inMore(goroutines, len(list)-len(shown), "group")
}

// leftovers are the groups without a role that no other section speaks of, the program's own code first, and how many
// goroutines they are.
func (v *view) leftovers() ([]group, int) {
	type key struct {
		state   string
		frame   schema.Frame
		creator string
	}
	at := map[key]int{}
	var list []group
	goroutines := 0
	for d := range pointers(v.r.Dumps) {
		inDump := map[key]bool{}
		for b := range pointers(d.Buckets) {
			if b.Role != "" || v.claimed[b] {
				continue
			}
			goroutines += b.Count
			f, rank := representative(b)
			k := key{state: b.State, frame: f}
			if b.CreatedBy != nil {
				k.creator = b.CreatedBy.Function
			}
			n, ok := at[k]
			if !ok {
				n = len(list)
				at[k] = n
				list = append(list, group{b: b, frame: f, rank: rank})
			}
			list[n].count += b.Count
			if !inDump[k] {
				list[n].dumps++
			}
			inDump[k] = true
		}
	}
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Or(a.rank-b.rank, b.count-a.count) })
	return list, goroutines
}

// representative is the frame that represents a stack: the nearest to the leaf of the program's or a dependency's
// code, else the nearest that is not the runtime's, else the creator, else the leaf.
func representative(b *schema.Bucket) (f schema.Frame, rank int) {
	for _, f := range b.Frames {
		switch f.Class {
		case "own":
			return f, 0
		case "vendored", "dependency", "unknown", "foreign":
			if f.Function != "" {
				return f, 1
			}
		}
	}
	for _, f := range b.Frames {
		if f.Class != "runtime" && f.Function != "" {
			return f, 2
		}
	}
	switch {
	case b.CreatedBy != nil:
		return *b.CreatedBy, 3
	case len(b.Frames) > 0 && b.Frames[0].Function != "":
		return b.Frames[0], 3
	}
	return schema.Frame{Function: "(no stack)"}, 3
}

// groups lists every group with its frames, those without a role first; with --all only.
func (v *view) groups() {
	if !v.all {
		return
	}
	for d := range pointers(v.r.Dumps) {
		for _, what := range []string{"without a role", "with a role"} {
			var list []*schema.Bucket
			for b := range pointers(d.Buckets) {
				if (b.Role != "") == (what == "with a role") {
					list = append(list, b)
				}
			}
			if len(list) == 0 {
				continue
			}
			v.section("GROUPS", phrase.Number(len(list))+" "+what+", "+v.at(d.Input, d.Line))
			for _, b := range list {
				v.group(b)
			}
		}
	}
}

func (v *view) group(b *schema.Bucket) {
	v.line()
	v.hanging(phrase.Count(b.Count, "goroutine")+" ["+v.state(b)+"]"+given(b.Locked, ", locked to thread")+
		given(b.Role != "", " "+v.glyphs.dot+" "+b.Role)+
		given(len(b.Goroutines) > 0, ": "+v.ids(b.Goroutines, b.Count)), 2, 0)
	if len(b.Labels) > 0 {
		v.labelled(plain("    labels"), strings.Join(b.Labels, "; "), 0)
	}
	var rows []row
	for _, f := range b.Frames {
		if f.Elided != 0 {
			text := " frames elided"
			if f.Elided > 0 {
				text = " " + phrase.Count(f.Elided, "frame") + " elided"
			}
			rows = append(rows, row{text: v.glyphs.ellipsis + text, style: v.colour.Dim})
			continue
		}
		rows = append(rows, v.frameRow("", f))
	}
	if b.CreatedBy != nil {
		rows = append(rows, v.frameRow("created by ", *b.CreatedBy))
	}
	if len(rows) == 0 {
		rows = append(rows, row{text: "no stack was printed"})
	}
	for i := range rows {
		rows[i].indent = 4
	}
	v.table(rows)
}

func (v *view) frameRow(prefix string, f schema.Frame) row {
	r := row{at: v.place(f.File, f.Line), style: v.dim(f.Class)}
	r.text = prefix + v.function(f.Function, v.width-6-len(prefix)-max(width(r.at), 20))
	return r
}
