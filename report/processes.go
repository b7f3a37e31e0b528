package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is shown of several dumps without TextOptions.All.
const (
	seriesRows = 8
	seriesSets = 3 // processes
	// seriesCount is what a stack that is new or gone must hold to be shown: three standard deviations from none.
	// Requests in flight come and go.
	seriesCount = 10
	// idleTimes is how many times as many goroutines of an idle role are news. Chosen: clients that come and go double.
	idleTimes = 5
)

// writeSeries writes what changed from dump to dump of each process.
func (v *view) writeSeries() {
	list := slices.SortedStableFunc(pointers(v.report.Series), func(a, b *schema.Series) int {
		return firstWith(!quiet(a), !quiet(b))
	})
	list = slices.DeleteFunc(list, func(s *schema.Series) bool { return len(s.Dumps) == 0 })
	shown := v.shown(len(list), seriesSets)
	for _, s := range list[:shown] {
		v.oneSeries(s)
	}
	v.more(2, len(list)-shown, "process", " with several dumps")
}

// quiet reports whether there is nothing to show of a process: it comes after the others.
func quiet(s *schema.Series) bool {
	return !slices.ContainsFunc(s.Buckets, func(b schema.SeriesBucket) bool { return notable(&b) })
}

// notable reports whether a stack is worth a row: its number changed beyond what chance does, or its goroutines are
// stuck. Those with a role that may wait for ever are not, unless they become more: a role explains what goroutines do,
// and not that they grow.
func notable(b *schema.SeriesBucket) bool {
	change, times := 0, 0
	if n := len(b.Counts); n > 0 {
		change, times = b.Counts[n-1]-b.Counts[0], b.Counts[n-1]/max(b.Counts[0], 1)
	}
	if b.Idle {
		return b.Trend == stackparse.TrendGrew && change >= seriesCount && times >= idleTimes
	}
	switch b.Trend {
	case stackparse.TrendGrew, stackparse.TrendShrank:
		return true
	case stackparse.TrendNew, stackparse.TrendGone:
		return max(change, -change) >= seriesCount
	}
	return heldUp(b)
}

// heldUp reports whether goroutines without a role are stuck behind another: a wait for work or data is none.
func heldUp(b *schema.SeriesBucket) bool {
	if b.Stuck == 0 || b.Role != "" {
		return false
	}
	switch stackparse.Class(b.Wait) {
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassChanSend,
		stackparse.ClassSemaphore,
		stackparse.ClassWaitGroup, stackparse.ClassNilChan:
		return true
	}
	return false
}

func (v *view) oneSeries(s *schema.Series) {
	shown := selected(s.Buckets, func(b *schema.SeriesBucket) bool { return v.all || notable(b) })
	hidden := len(shown) - v.fitting(len(shown), seriesRows)
	shown = shown[:len(shown)-hidden]
	head := v.seriesHead(s)
	if len(shown) == 0 {
		unknown := func(b schema.SeriesBucket) bool { return b.Trend == stackparse.TrendUnknown }
		head += cmp.Or(textIf(slices.ContainsFunc(s.Buckets, unknown),
			"; a dump is incomplete, so growth is not judged"),
			"; nothing grew, shrank or is stuck, apart from known roles and normal fluctuation")
	}
	v.section("OVER TIME", head)
	if len(shown) == 0 {
		return
	}
	at := v.columns(len(s.Dumps))
	heads := make([]string, 0, len(at)+2)
	total := gridRow{name: "all goroutines"}
	for _, i := range at {
		heads = append(heads, "dump "+phrase.Number(i+1))
		total.cells = append(total.cells, phrase.Number(s.Dumps[i].Goroutines))
	}
	last := len(s.Dumps) - 1
	total.cells = append(total.cells, signed(s.Dumps[last].Goroutines-s.Dumps[0].Goroutines), "")
	rows := []gridRow{total}
	for _, b := range shown {
		rows = append(rows, v.seriesRow(b, at))
	}
	v.writeGrid(append(heads, "change", ""), rows, gridCell)
	if v.all {
		v.more(2, hidden+s.BucketsTotal-len(s.Buckets), "group")
	} else {
		v.more(2, hidden, "group", " that changed or are stuck")
	}
}

// seriesHead lists the dumps that are compared: "3 dumps of one process, TIME to TIME; 190 goroutines stayed, …".
func (v *view) seriesHead(s *schema.Series) string {
	of := "one process"
	if strings.Contains(s.Process, "/") {
		of = s.Process
	}
	n := len(s.Dumps)
	first, last := s.Dumps[0].Time, s.Dumps[n-1].Time
	text := phrase.Count(s.DumpsTotal, "dump") + " of " + of +
		textIf(n < s.DumpsTotal, ", "+phrase.Number(n)+" of them compared") +
		textIf(first != "" && last != "" && first != last, ", "+first+" to "+last)
	if len(s.Steps) == 1 {
		text += prefixed("; goroutines: ", stepText(s.Steps[0]))
	}
	return v.escape(text)
}

// stepText is "190 stayed, 3 moved on, 1,047 new, 19 gone"; "" where no id is known.
func stepText(s schema.SeriesStep) string {
	if s == (schema.SeriesStep{}) {
		return ""
	}
	return phrase.Number(s.Stayed) + " stayed, " + phrase.Number(s.Moved) + " moved on, " +
		phrase.Number(s.New) + " new, " + phrase.Number(s.Gone) + " gone"
}

// columns are the dumps that have a column, the first and the last among them: as many as leave room for the places.
func (v *view) columns(n int) []int {
	room := 3
	switch {
	case v.width >= 160:
		room = 8
	case v.width >= 100:
		room = 4
	}
	room = min(room, n)
	at := make([]int, 0, room)
	for i := range room {
		at = append(at, i*(n-1)/max(room-1, 1))
	}
	return at
}

func (v *view) seriesRow(b *schema.SeriesBucket, at []int) gridRow {
	r := v.stackRow(b.Function, b.File, b.Line, b.Wait, b.Role)
	countOf := func(i int) int {
		if i >= 0 && i < len(b.Counts) {
			return b.Counts[i]
		}
		return 0
	}
	for _, i := range at {
		r.cells = append(r.cells, phrase.Number(countOf(i)))
	}
	change := countOf(len(b.Counts)-1) - countOf(0)
	word := v.escape(string(b.Trend))
	switch b.Trend {
	case stackparse.TrendGrew, stackparse.TrendNew:
		r.style = v.colour.Culprit
	case stackparse.TrendSteady, stackparse.TrendUnknown:
		if heldUp(b) {
			word = phrase.Number(b.Stuck) + " stayed"
			if stackparse.Class(b.Wait) != stackparse.ClassWaitGroup { // those it waits for may be at work
				word, r.style = phrase.Number(b.Stuck)+" stuck", v.colour.Culprit
			}
		}
	}
	r.cells = append(r.cells, signed(change), word)
	return r
}

// What is shown of fleets without TextOptions.All.
const (
	fleetSets   = 3 // workloads
	replicaRows = 8
)

// writeFleet writes of each workload with several replicas which of them differs: a sentence, and a table where there
// is something to see in it.
func (v *view) writeFleet() {
	list := slices.SortedStableFunc(pointers(v.report.Fleet), func(a, b *schema.Fleet) int {
		return firstWith(a.OddTotal > 0, b.OddTotal > 0)
	})
	shown := v.shown(len(list), fleetSets)
	for _, f := range list[:shown] {
		v.oneFleet(f)
	}
	v.more(2, len(list)-shown, "workload", " with several replicas")
}

func (v *view) oneFleet(f *schema.Fleet) {
	odd := map[int]*schema.Odd{}
	for o := range pointers(f.Odd) {
		for k, r := range f.Replicas {
			if r.Pod == o.Pod && r.Input == o.Input && r.Line == o.Line {
				odd[k] = o
			}
		}
	}
	v.section("REPLICAS", v.fleetName(f)+": "+v.comparison(f, odd))
	if len(odd) > 0 || v.all || slices.ContainsFunc(f.Replicas, func(r schema.Replica) bool {
		return r.Findings != f.Replicas[0].Findings
	}) {
		v.replicas(f, odd)
	}
}

func (v *view) fleetName(f *schema.Fleet) string {
	return textIf(f.Namespace != "", v.escape(f.Namespace)+"/") + cmp.Or(v.escape(f.Workload), "one program") +
		textIf(f.Container != "" && f.Container != f.Workload, ", container "+v.escape(f.Container))
}

// comparison is the sentence: "2 of 3 replicas are alike (1,190 to 1,204 goroutines); web-2 differs".
func (v *view) comparison(f *schema.Fleet, odd map[int]*schema.Odd) string {
	total := max(f.ReplicasTotal, len(f.Replicas))
	if f.Compared < 2 {
		return phrase.Count(total, "replica") + ", not compared" + prefixed(": ", uncompared(f))
	}
	var s string
	span := phrase.InBrackets(goroutineSpan(f, odd))
	switch alike := f.Compared - f.OddTotal; {
	case f.OddTotal == 0:
		s = "none of " + phrase.Count(f.Compared, "replica") + " stands out" + span
	case alike == 1:
		s = v.oddNames(f) + " differs from the other one" + span
	default:
		s = phrase.Number(alike) + " of " + phrase.Count(f.Compared, "replica") + " are alike" + span + "; " +
			v.oddNames(f) + " differ" + textIf(f.OddTotal == 1, "s")
	}
	return s + textIf(f.Compared < total,
		"; not compared: "+phrase.Number(total-f.Compared)+prefixed(", ", uncompared(f)))
}

// uncompared returns why replicas are not compared.
func uncompared(f *schema.Fleet) string {
	leaders, cut, revisions := 0, 0, map[string]int{}
	for _, r := range f.Replicas {
		switch {
		case r.Leader:
			leaders++
		case r.Truncated:
			cut++
		default:
			revisions[r.Revision]++
		}
	}
	return joined(", ",
		textIf(leaders == 1, "the leader does work that the others don't"),
		textIf(leaders > 1, "leaders do work that the others don't"),
		textIf(cut > 0, "an incomplete dump has too few goroutines"),
		textIf(len(revisions) > 1, "two revisions of a template may run different code"))
}

// goroutineSpan is how many goroutines those that are alike have.
func goroutineSpan(f *schema.Fleet, odd map[int]*schema.Odd) string {
	var counts []int
	for i, r := range f.Replicas {
		if !r.Leader && !r.Truncated && odd[i] == nil {
			counts = append(counts, r.Goroutines)
		}
	}
	if len(counts) == 0 {
		counts = []int{0}
	}
	low, high := slices.Min(counts), slices.Max(counts)
	return textIf(low < high, phrase.Number(low)+" to ") + phrase.Count(high, "goroutine")
}

func (v *view) oddNames(f *schema.Fleet) string {
	var names []string
	for _, o := range f.Odd[:min(len(f.Odd), shownIDs)] {
		names = append(names, v.replicaName(o.Pod, o.Input, o.Line))
	}
	if more := f.OddTotal - len(names); more > 0 {
		names = append(names, phrase.Number(more)+" more")
	}
	return phrase.List(names)
}

func (v *view) replicaName(pod, input string, line int64) string {
	if pod == "" {
		return v.at(input, line)
	}
	return v.escape(pod)
}

// replicas is the table: numbers, the replica, what is remarkable about it; and under those that differ how.
func (v *view) replicas(f *schema.Fleet, odd map[int]*schema.Odd) {
	order := make([]int, 0, len(f.Replicas))
	for i := range f.Replicas {
		order = append(order, i)
	}
	rows := v.fitting(len(order), replicaRows)
	if rows < len(order) {
		// Those that differ come first, then those with findings, then the leader.
		slices.SortStableFunc(order, func(a, b int) int {
			r, s := &f.Replicas[a], &f.Replicas[b]
			return cmp.Or(firstWith(odd[a] != nil, odd[b] != nil), firstWith(r.Findings > 0, s.Findings > 0),
				firstWith(r.Leader, s.Leader))
		})
	}
	table := make([]gridRow, 0, rows)
	for _, i := range order[:rows] {
		r := &f.Replicas[i]
		row := gridRow{cells: []string{phrase.Number(r.Goroutines), phrase.Number(r.Findings)},
			name: cutLeft(v.replicaName(r.Pod, r.Input, r.Line), v.width*2/3, v.glyphs.ellipsis),
			tail: joined(", ", textIf(r.Leader, "leader"), textIf(r.Truncated, "its dump is incomplete"),
				prefixed("on ", v.escape(r.Node)))}
		if o := odd[i]; o != nil {
			row.mark, row.style, row.under = v.glyphs.mark, v.colour.Culprit, v.difference(o)
		}
		table = append(table, row)
	}
	v.writeGrid([]string{"goroutines", "findings", "replica"}, table, 0)
	v.more(2, max(f.ReplicasTotal, len(f.Replicas))-rows, "replica")
}

// difference is how a replica differs; with --all each stack with its counts, replica by replica.
func (v *view) difference(o *schema.Odd) string {
	text := o.Why
	for _, b := range o.Buckets {
		text += textIf(v.all, "; "+v.shortFunction(b.Function)+phrase.InBrackets(v.place(b.File, b.Line))+" ["+b.Wait+
			"] "+strings.Trim(fmt.Sprint(b.Counts), "[]"))
	}
	return text
}

// inPods names the pods that show a finding, the most affected first: "in 3 pods: web-2 (12,700), web-0 (4), web-1
// (1)".
func (v *view) inPods(f *rules.Finding) string {
	total := max(f.PodsTotal, len(f.Pods))
	if total < 2 {
		return ""
	}
	noun, containers := "pod", false
	inputs := map[string]bool{}
	for _, p := range f.Pods {
		if p.Pod == "" {
			noun = "process"
		}
		inputs[p.Input] = true
		containers = containers || p.Container != f.Pods[0].Container
	}
	if noun == "process" && len(inputs) == len(f.Pods) {
		noun = "input" // nothing shows that they are of two processes
	}
	return "in " + phrase.Count(total, noun) + ": " + v.some(len(f.Pods), total, shownIDs, func(i int) string {
		p := &f.Pods[i]
		return v.replicaName(p.Pod, p.Input, p.Line) +
			textIf(containers && p.Pod != "", "/"+v.escape(p.Container)) + phrase.InBrackets(phrase.Number(p.Count))
	})
}

// oddReplicas returns for the verdict how many replicas differ from the others, "" for none.
func (v *view) oddReplicas() string {
	n := 0
	for _, f := range v.report.Fleet {
		n += f.OddTotal
	}
	return textIf(n > 0, phrase.Count(n, "replica")+" differ"+textIf(n == 1, "s")+" from the others")
}
