package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// writeExpected writes what was subtracted: how many goroutines do what, in the last dump of each process. Those that a
// finding or a verdict on running ones speaks of don't count. Beside a culprit it is one sentence.
func (v *view) writeExpected() {
	latest := v.latest()
	tally, docs := v.tally(latest)
	if len(tally) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(tally), func(a, b string) int {
		return cmp.Or(cmp.Compare(tally[b], tally[a]), cmp.Compare(a, b))
	})
	all := 0
	for _, n := range tally {
		all += n
	}
	text := phrase.Count(all, "goroutine") + " doing what " + cmp.Or(textIf(all == 1, "it"), "they") + " should" +
		v.ofDumps(len(latest))
	if v.first() != nil && !v.all {
		roles := someRoles(names, tally, all)
		if len(v.report.Dumps) == 1 { // the line of the input has the sum
			v.section("EXPECTED", "doing what they should: "+roles)
			return
		}
		v.section("EXPECTED", text+": "+roles)
		return
	}
	shown := names[:v.fitting(len(names), roleRows)]
	v.section("EXPECTED", text)
	rows := make([]gridRow, 0, len(shown))
	for _, name := range shown {
		rows = append(rows, gridRow{cells: []string{phrase.Number(tally[name])}, name: v.escape(name),
			tail: v.escape(collapse(docs[name])), under: schema.EndingsText(endingsOf(latest, name))})
	}
	v.writeGrid(nil, rows, countWidth)
	n := 0
	for _, name := range names[len(shown):] {
		n += tally[name]
	}
	v.inMore(n, len(names)-len(shown), "role")
}

// someRoles is "104 workqueue-worker, 52 context-watch, 12 in 3 more roles".
func someRoles(names []string, tally map[string]int, all int) string {
	var parts []string
	for _, name := range names[:min(len(names), expectedRoles)] {
		parts = append(parts, phrase.Number(tally[name])+" "+name)
		all -= tally[name]
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, phrase.Number(all)+" in "+phrase.Count(more, "more role"))
	}
	return strings.Join(parts, ", ")
}

// tally counts the goroutines that roles explain, with what each role does.
func (v *view) tally(latest []*schema.Dump) (tally map[string]int, docs map[string]string) {
	tally, docs = map[string]int{}, map[string]string{}
	for _, d := range latest {
		for _, r := range d.Roles {
			docs[r.Role] = r.Doc
		}
		for b := range pointers(d.Buckets) {
			if n := v.unexplained(b); b.Expected() && n > 0 {
				tally[b.Role] += n
			}
		}
	}
	return tally, docs
}

// endingsOf are the endings of the goroutines of a role, where all of them wait at one place.
func endingsOf(latest []*schema.Dump, role string) (ends []schema.Ending) {
	seen := false
	for _, d := range latest {
		for b := range pointers(d.Buckets) {
			if b.Role != role {
				continue
			}
			if seen && schema.EndingsText(ends) != schema.EndingsText(b.Ends) {
				return nil
			}
			ends, seen = b.Ends, true
		}
	}
	return ends
}

// countWidth is how wide a column of goroutines is at least.
const countWidth = 7

// inMore writes how many goroutines the rows have that are left out.
func (v *view) inMore(goroutines, rows int, noun string) {
	if rows > 0 {
		v.line(plain(padLeft(phrase.Number(goroutines), countWidth) + "  in " + phrase.Count(rows, "more "+noun)))
	}
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
	return schema.Frame{Function: noStack}, 3
}

// noStack is shown for goroutines whose stack is not in the dump, or was not kept.
const noStack = "(no stack)"

// writeGroups lists every group with its frames, those without a role first; with --all only.
func (v *view) writeGroups() {
	if !v.all {
		return
	}
	for d := range pointers(v.report.Dumps) {
		for _, what := range []string{"without a role", "with a role"} {
			list := selected(d.Buckets, func(b *schema.Bucket) bool {
				return (b.Role != "") == (what == "with a role")
			})
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

// matchingGroups is how many groups a condition lists without --all. Chosen: some screens.
const matchingGroups = 20

// writeMatching lists the groups that the condition of the report chose, with their frames.
func (v *view) writeMatching() {
	goroutines, groups := 0, 0
	for d := range pointers(v.report.Dumps) {
		groups += len(d.Buckets)
		for b := range pointers(d.Buckets) {
			goroutines += b.Count
		}
	}
	v.section("MATCHING", phrase.Count(goroutines, "goroutine")+" in "+phrase.Count(groups, "group")+": "+
		v.escape(collapse(v.report.Where)))
	shown := 0
	for d := range pointers(v.report.Dumps) {
		if len(v.report.Dumps) > 1 && len(d.Buckets) > 0 {
			v.line()
			v.line(plain("  " + v.at(d.Input, d.Line)))
		}
		for b := range pointers(d.Buckets) {
			if shown++; shown <= matchingGroups || v.all {
				v.group(b)
			}
		}
	}
	if left := groups - matchingGroups; left > 0 && !v.all {
		v.line()
		v.more(2, left, "group")
	}
}

func (v *view) group(b *schema.Bucket) {
	v.line()
	v.hanging(phrase.Count(b.Count, "goroutine")+" ["+v.stateText(b)+"]"+textIf(b.Locked, ", locked to thread")+
		textIf(b.Role != "", " "+v.glyphs.dot+" "+b.Role)+
		textIf(len(b.Goroutines) > 0, ": "+v.ids(b.Goroutines, b.Count)), 2, 0)
	if len(b.Labels) > 0 {
		v.labelled(plain("    labels"), strings.Join(b.Labels, "; "), 0)
	}
	var rows []stackLine
	for _, f := range b.Frames {
		if f.Elided != 0 {
			text := " frames elided"
			if f.Elided > 0 {
				text = " " + phrase.Count(f.Elided, "frame") + " elided"
			}
			rows = append(rows, stackLine{text: v.glyphs.ellipsis + text, style: v.colour.Dim})
			continue
		}
		rows = append(rows, v.frameRow("", f))
	}
	if b.CreatedBy != nil {
		rows = append(rows, v.frameRow("created by ", *b.CreatedBy))
	}
	if len(rows) == 0 {
		rows = append(rows, stackLine{text: "no stack was printed"})
	}
	for i := range rows {
		rows[i].indent = 4
	}
	v.table(rows)
}

func (v *view) frameRow(prefix string, f schema.Frame) stackLine {
	r := stackLine{at: v.place(f.File, f.Line), style: v.dim(f.Class)}
	r.text = prefix + v.function(f.Function, v.width-6-len(prefix)-max(width(r.at), 20))
	return r
}

// writeRunnables writes why those that were running are not accused; those to watch come first.
func (v *view) writeRunnables() {
	var watch, innocent []schema.Runnable
	// A second dump with more than one goroutine distinguishes work from a spin.
	whole := len(selected(v.report.Dumps, func(d *schema.Dump) bool { return d.Goroutines > 1 }))
	for d := range pointers(v.report.Dumps) {
		for _, r := range d.Runnable {
			switch r.Verdict {
			case "watch":
				watch = v.merged(watch, r)
			case "innocent":
				innocent = v.merged(innocent, r)
			}
		}
	}
	if v.accuses() && !v.all && v.report.Findings[0].Category != rules.Spin { // who runs is no question
		innocent = nil
	}
	if len(watch)+len(innocent) == 0 {
		return
	}
	v.line()
	v.line(span{text: textIf(v.accuses(), "ALSO ") + "RUNNING", style: v.colour.Heading})
	v.verdicts("watch", watch)
	if len(watch) > 0 && whole < 2 && !v.captures() {
		label := spaces(len("  innocent"))
		v.labelled(label, "one dump can't distinguish work from spinning: take two more dumps, a few seconds apart, "+
			"and give triage all three", 0)
	}
	v.verdicts("innocent", innocent)
}

// captures reports whether an advice has the command that takes what one dump lacks.
func (v *view) captures() bool {
	return slices.ContainsFunc(v.report.Advice, func(a schema.Advice) bool {
		return slices.ContainsFunc(a.Commands, func(s rules.Step) bool {
			return strings.HasPrefix(s.Command, "triage fetch ")
		})
	})
}

// merged adds r to list. Without --all, those with one reason become one, whose Frame is empty when they are in
// different places.
func (v *view) merged(list []schema.Runnable, r schema.Runnable) []schema.Runnable {
	for l := range pointers(list) {
		if v.all || l.Reason != r.Reason {
			continue
		}
		if l.Frame != r.Frame {
			l.Frame = schema.Frame{}
		}
		l.Count += r.Count
		l.Goroutines = append(l.Goroutines[:len(l.Goroutines):len(l.Goroutines)], r.Goroutines...)
		return list
	}
	return append(list, r)
}

func (v *view) verdicts(word string, list []schema.Runnable) {
	label := "  " + pad(word, len("innocent"))
	for i, r := range list {
		if i == v.rowsBesideLead(runnableRows) && !v.all {
			v.line(plain("            +" + phrase.Number(len(list)-i) + " more for other reasons"))
			break
		}
		who, behindPlace := phrase.Count(r.Count, "goroutine"), ""
		if distinct := slices.Compact(slices.Sorted(slices.Values(r.Goroutines))); len(distinct) < len(r.Goroutines) {
			who, behindPlace = v.goroutineIDs(distinct, len(distinct)), ", in several dumps"
		} else if len(distinct) > 0 {
			who = v.goroutineIDs(r.Goroutines, r.Count)
		}
		reason := collapse(r.Reason)
		if fn := v.shortFunction(r.Frame.Function); fn != "" && !strings.Contains(reason, fn) {
			at := v.place(r.Frame.File, r.Frame.Line)
			who += " in " + fn + textIf(!strings.Contains(reason, at), phrase.InBrackets(at))
		}
		v.labelled(plain(label), who+behindPlace+prefixed(": ", reason), proseLines)
		label = spaces(len(label)).text
	}
}

// writeWaits writes who blocks whom: locks, and whatever has a candidate for holding it. Channels, WaitGroups and Conds
// that several goroutines wait for are mostly idle workers; JSON and --all have them. A dump names no owner of a
// lock, so that a holder is a candidate.
func (v *view) writeWaits() {
	var list []*schema.Wait
	dumps := map[string]int{} // of an object with its holders: dumps of one process repeat them
	in := map[*schema.Wait]*schema.Dump{}
	for d := range pointers(v.report.Dumps) {
		for w := range pointers(d.Waits) {
			if !v.all && len(w.Holders) == 0 && (v.accuses() || !isLock(w.Kind)) {
				continue
			}
			if dumps[waitKey(w)]++; dumps[waitKey(w)] == 1 && (v.all || !v.named(w)) {
				list = append(list, w)
				in[w] = d
			}
		}
	}
	if len(list) == 0 {
		return
	}
	v.section("WHO BLOCKS WHOM", phrase.Count(len(list), "object")+" that goroutines wait for")
	shown := v.shown(len(list), v.rowsBesideLead(waitRows))
	for _, w := range list[:shown] {
		n := dumps[waitKey(w)]
		v.hanging(strings.TrimSpace(w.Kind+" "+w.Object)+": "+
			phrase.Count(w.Waiters, "goroutine")+" wait"+textIf(w.Waiters == 1, "s")+v.waitPlace(in[w], w)+
			prefixed(": ", v.ids(w.Goroutines, w.Waiters))+v.held(w)+
			textIf(n > 1, "; the same in "+phrase.Count(n, "dump")), 2, proseLines)
	}
	v.more(2, len(list)-shown, "object")
	if slices.ContainsFunc(v.report.Dumps, func(d schema.Dump) bool { return d.WaitsCut }) {
		v.line(plain("  incomplete: there are too many locks to check them all"))
	}
}

// waitPlace is where the waiters wait, " in main.(*depot).take (locks.go:21)", or the first of them where they are in
// several places, ", goroutine 28 in main.(*depot).take (locks.go:21)"; "" where that is not listed.
func (v *view) waitPlace(d *schema.Dump, w *schema.Wait) string {
	if len(w.Goroutines) == 0 {
		return ""
	}
	for b := range pointers(d.Buckets) {
		if slices.Contains(b.Goroutines, w.Goroutines[0]) {
			f, _ := representative(b)
			first := textIf(b.Count < w.Waiters, ", goroutine "+strconv.FormatUint(w.Goroutines[0], 10))
			return first + " in " + v.shortFunction(f.Function) + phrase.InBrackets(v.place(f.File, f.Line))
		}
	}
	return ""
}

// named reports whether a finding that is shown in full names the object or its holders already.
func (v *view) named(w *schema.Wait) bool {
	if len(w.Holders) == 0 && w.Object == "" {
		return v.accuses()
	}
	for f := range pointers(v.report.Findings[:min(len(v.report.Findings), fullFindings)]) {
		if w.Object != "" && strings.Contains(f.Why, w.Object) {
			return true
		}
		for _, e := range f.Evidence {
			if w.Object != "" && strings.Contains(e.Text, w.Object) || len(w.Holders) > 0 &&
				!slices.ContainsFunc(w.Holders, func(h schema.Holder) bool {
					return !slices.Contains(e.Goroutines, h.Goroutine)
				}) {
				return true
			}
		}
	}
	return false
}

// held is who may hold what others wait for: "; candidate holder goroutine 7 (confidence high) in main.run at run.go:9,
// [select]". Only a lock has a holder.
func (v *view) held(w *schema.Wait) string {
	switch {
	case len(w.Holders) > 0:
		return "; candidate holder " + v.holders(w.Holders) + prefixed(" in ", w.BlockedBy)
	case isLock(w.Kind):
		return "; holder unknown"
	}
	return ""
}

func (v *view) holders(hs []schema.Holder) string {
	return v.some(len(hs), len(hs), shownIDs, func(i int) string {
		return "goroutine " + strconv.FormatUint(hs[i].Goroutine, 10) + " (confidence " + hs[i].Confidence + ")"
	})
}

// waitKey is equal for objects of which two dumps show the same.
func waitKey(w *schema.Wait) string {
	key := w.Kind + " " + w.Object + " " + w.BlockedBy + " " + strconv.Itoa(w.Waiters)
	for _, h := range w.Holders {
		key += " " + strconv.FormatUint(h.Goroutine, 10)
	}
	return key
}

func isLock(kind string) bool { return kind == "mutex" || kind == "rwmutex" || kind == "once" }
