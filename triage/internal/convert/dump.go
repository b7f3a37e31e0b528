// Package convert brings what was parsed into the form of the report.
//
// It takes a dump, a profile, a log, a cluster or a trail, and returns its rows of package schema. Begin reading at
// Dump.
package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// maxLabels is how many of a bucket's label sets the report shows. Chosen: labels such as request ids differ in every
// goroutine.
const maxLabels = 10

// A converter turns one dump into its report form.
type converter struct{ in *rules.DumpInput }

// Dump brings a dump into the form of the report's contract; found is what the rules found in it.
func Dump(in *rules.DumpInput, found []rules.Finding) schema.Dump {
	c := converter{in}
	d := in.Dump
	path, line := in.Locate(d.Line)
	endPath, endLine := in.Locate(max(d.EndLine, d.Line))
	waits := parsed.Waits(in)
	out := schema.Dump{
		Input: path, Line: line, EndInput: endPath, EndLine: endLine,
		Namespace: in.Target.Namespace, Pod: in.Target.Pod, Container: in.Target.Container, Process: in.Process,
		Time: d.Stamp, Format: string(d.Format), Signal: d.Cause.SignalName(), Reason: reasonOf(d.Cause),
		Go: d.Go, Goroutines: d.Goroutines, Truncated: schema.Ends(d.Truncated), Seen: max(d.Seen, 1),
		Buckets: make([]schema.Bucket, 0, len(d.Buckets)), Roles: rolesOf(in), Runnable: c.runnables(found),
		Waits: waitsOf(in), WaitsCut: waits != nil && waits.Cut,
		Unparsed: d.UnparsedLines, UnparsedLines: make([]schema.UnparsedLine, 0, len(d.Unparsed)),
	}
	excess := excessOf(in)
	for i, b := range d.Buckets {
		out.Buckets = append(out.Buckets, c.bucket(b, in.Roles[i]))
		out.Buckets[i].Excess = excess[startedRole(b, in.Roles[i])]
	}
	for _, u := range d.Unparsed {
		_, n := in.Locate(u.Line)
		out.UnparsedLines = append(out.UnparsedLines, schema.UnparsedLine{Line: n, Text: u.Text})
	}
	return out
}

func (c *converter) bucket(b *stackparse.Bucket, role *rules.Role) schema.Bucket {
	out := schema.Bucket{
		State: c.state(b), Wait: string(b.Class), Count: b.Count,
		Minutes: schema.Minutes{Min: b.MinMinutes, Max: b.MaxMinutes},
		Labels:  c.labels(b), Goroutines: rules.SmallestIDs(b.Goroutines),
	}
	if role != nil {
		out.Role = role.Name
	}
	for i := range b.Goroutines {
		out.Locked = out.Locked || b.Goroutines[i].Flags&stackparse.FlagLocked != 0
	}
	stack := shown.Of(c.in, b)
	out.Frames, out.CreatedBy = stack.frames, stack.createdBy
	return out
}

// state is the text that most of the bucket's goroutines have; the wait class in formats without states.
func (c *converter) state(b *stackparse.Bucket) string {
	if len(b.Goroutines) == 0 {
		return string(b.Class)
	}
	most := b.Goroutines[0].State
	if !slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool { return g.State != most }) {
		return c.in.States[most]
	}
	counts := make([]int, len(c.in.States))
	for i := range b.Goroutines {
		s := b.Goroutines[i].State
		counts[s]++
		if counts[s] > counts[most] {
			most = s
		}
	}
	return c.in.States[most]
}

func (c *converter) labels(b *stackparse.Bucket) []string {
	seen := map[uint16]bool{}
	for i := range b.Goroutines {
		if l := b.Goroutines[i].Labels; l != 0 {
			seen[l] = true
		}
	}
	sets := make([]string, 0, min(len(seen), maxLabels))
	for l := range seen {
		sets = append(sets, c.in.Labels[l])
	}
	slices.Sort(sets)
	return slices.Clip(sets[:min(len(sets), maxLabels)])
}

func frameOf(f *stackparse.Frame, class frame.Class) schema.Frame {
	if f.Elided != 0 {
		return schema.Frame{Elided: f.Elided}
	}
	return schema.Frame{Function: f.Func, File: f.File, Line: f.Line, Class: class.String()}
}

// reasonOf is the cause in one line.
func reasonOf(c *stackparse.Cause) string {
	if c == nil {
		return ""
	}
	switch c.Kind {
	case stackparse.CauseSignal:
		return c.Signal
	case stackparse.CauseFatal:
		return "fatal error: " + firstLine(c.Text)
	case stackparse.CausePanic, stackparse.CauseTestTimeout:
		return "panic: " + firstLine(c.Text)
	case stackparse.CauseRace:
		return "data race"
	}
	return cmp.Or(firstLine(c.Text), firstLine(c.LogLine))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// rolesOf counts the goroutines of each role, most first. A role that says little without the place where its goroutine
// waits is described by that place.
func rolesOf(in *rules.DumpInput) []schema.RoleCount {
	byName := map[string]int{}
	counts := []schema.RoleCount{}
	for i, b := range in.Buckets {
		role := in.Roles[i]
		if role == nil {
			continue
		}
		k, ok := byName[role.Name]
		if !ok {
			k = len(counts)
			byName[role.Name] = k
			counts = append(counts, schema.RoleCount{Role: role.Name, Doc: role.Doc})
			if at := waitsAt(in, b); role.Place && at != "" {
				counts[k].Doc = "waits in " + at
			}
		}
		if counts[k].Buckets > 0 {
			counts[k].Doc = role.Doc // in several places
		}
		counts[k].Goroutines += b.Count
		counts[k].Buckets++
	}
	slices.SortFunc(counts, func(a, b schema.RoleCount) int {
		return cmp.Or(b.Goroutines-a.Goroutines, strings.Compare(a.Role, b.Role))
	})
	return counts
}

// waitsAt is the function nearest to the leaf that is neither the runtime's nor the standard library's, with the line
// of the program's own code that led there; "" for none.
func waitsAt(in *rules.DumpInput, b *stackparse.Bucket) string {
	text, code := "", in.CodeOf(b)
	for i := range b.Frames {
		f := b.Frames[i].Frame
		switch class := code.Class(i); {
		case f.Func == "" || class == frame.ClassRuntime || class == frame.ClassStdlib:
		case class == frame.ClassOwn && text == "":
			return rules.PlaceText(rules.PlaceOf(f))
		case class == frame.ClassOwn && f.File != "":
			return fmt.Sprintf("%s, called at %s:%d", text, symbol.ShortFile(f.File), f.Line)
		case text == "":
			text = symbol.ShortFunc(f.Func)
		}
	}
	return text
}

// maxWaits bounds the objects that a dump lists: those with the most waiters.
const maxWaits = 100

// waitsOf lists the objects that goroutines wait for, those of a blockage first.
func waitsOf(in *rules.DumpInput) []schema.Wait {
	all := []schema.Wait{}
	waits := parsed.Waits(in)
	if waits == nil {
		return all
	}
	type object struct {
		addr uint64
		kind waitgraph.Kind
	}
	n := len(waits.Objects)
	for _, b := range waits.Blockages {
		n += len(b.Links) + len(b.Behind)
	}
	all = slices.Grow(all, min(n, maxWaits))
	told := map[object]bool{}
	list := func(links []waitgraph.Link, kind waitgraph.BlockKind) {
		for i := range links {
			if o := &links[i].Object; len(all) < maxWaits {
				all = append(all, waitOf(in, o, &links[i], kind))
				told[object{o.Addr, o.Kind}] = true
			}
		}
	}
	for _, b := range waits.Blockages {
		list(b.Links, b.Kind)
		list(b.Behind, waitgraph.Held)
	}
	for i := range waits.Objects {
		o := &waits.Objects[i]
		if len(all) < maxWaits && !told[object{o.Addr, o.Kind}] {
			all = append(all, waitOf(in, o, nil, ""))
		}
	}
	return all
}

// maxWaiters bounds the waiters of an object that are named.
const maxWaiters = 20

// waitersOf are the ids of goroutines that wait for the object, in order.
func waitersOf(d *stackparse.Dump, o *waitgraph.Object) []uint64 {
	ids := make([]uint64, 0, min(o.Count, maxWaiters))
	for _, w := range o.Waiters {
		for _, member := range w.Members {
			if len(ids) < maxWaiters {
				ids = append(ids, waitgraph.GoroutineOf(d, waitgraph.Ref{Bucket: w.Bucket, Member: member}).ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

func waitOf(in *rules.DumpInput, o *waitgraph.Object, l *waitgraph.Link, kind waitgraph.BlockKind) schema.Wait {
	w := schema.Wait{Kind: string(o.Kind), Waiters: o.Count, Goroutines: []uint64{}, Holders: []schema.Holder{}}
	if in.Counted() { // no ids
		return w
	}
	w.Goroutines = waitersOf(in.Dump, o)
	if o.Addr != 0 {
		w.Object = "0x" + strconv.FormatUint(o.Addr, 16)
	}
	if l == nil || l.Holder.Strength < waitgraph.MinHolder || l.Holder.Doubt {
		return w
	}
	g := waitgraph.GoroutineOf(in.Dump, l.Holder.Ref)
	w.Holders = append(w.Holders, schema.Holder{Goroutine: g.ID, Confidence: confidenceOf(l.Holder.Strength)})
	b := in.Buckets[l.Holder.Bucket]
	at := rules.BlameBucket(in, b).Culprit
	w.BlockedBy = fmt.Sprintf("%s at %s:%d, %s", symbol.ShortFunc(at.Function), symbol.ShortFile(at.File), at.Line,
		doing(b, kind))
	return w
}

// confidenceOf is how sure a candidate is: high where its call was printed with the object that the lock is in,
// medium in the code and of the object or family of the lock, low in the code that takes it.
func confidenceOf(s waitgraph.Strength) string {
	switch {
	case s >= waitgraph.StrengthSure:
		return string(rules.ConfHigh)
	case s >= waitgraph.StrengthObject:
		return string(rules.ConfMedium)
	}
	return string(rules.ConfLow)
}

// doing describes what the holder does meanwhile.
func doing(b *stackparse.Bucket, kind waitgraph.BlockKind) string {
	switch kind {
	case waitgraph.DoubleLock:
		return "which waits for this lock too"
	case waitgraph.LockCycle:
		return "which waits for another of these locks"
	}
	return "in [" + strings.TrimSpace(string(b.Class)) + "]"
}

// A citedEvidence is one piece of evidence with the finding that it belongs to.
type citedEvidence struct {
	line     int64
	finding  *rules.Finding
	evidence rules.Evidence
}

// An evidenceIndex is the evidence of all findings, by input and in order of line. One log holds many dumps, and each
// numbers its goroutines anew: only what is within a dump's lines is about its goroutines.
type evidenceIndex map[string][]citedEvidence

func IndexEvidence(found []rules.Finding) evidenceIndex {
	all := evidenceIndex{}
	for i := range found {
		f := &found[i]
		for _, e := range f.Evidence {
			if len(e.Goroutines) > 0 {
				all[e.Input] = append(all[e.Input], citedEvidence{e.Line, f, e})
			}
		}
	}
	for _, as := range all {
		slices.SortStableFunc(as, func(a, b citedEvidence) int { return cmp.Compare(a.line, b.line) })
	}
	return all
}

// Within are the findings with the evidence that is within d's lines; a dump that spans a rotated pair ends in
// another file than it began in.
func (all evidenceIndex) Within(d *rules.DumpInput) []rules.Finding {
	first, from := d.Locate(d.Line)
	last, upto := d.Locate(d.EndLine)
	if first == last {
		from, upto = min(from, upto), max(from, upto) // an export may have the newest line first
		return findings(between(all[first], from, upto))
	}
	return findings(slices.Concat(between(all[first], from, -1), between(all[last], 0, upto)))
}

// between cuts out the accusations from one line to another; upto -1 means no end.
func between(as []citedEvidence, from, upto int64) []citedEvidence {
	byLine := func(a citedEvidence, line int64) int { return cmp.Compare(a.line, line) }
	i, _ := slices.BinarySearchFunc(as, from, byLine)
	j := len(as)
	if upto >= 0 {
		j, _ = slices.BinarySearchFunc(as, upto+1, byLine)
	}
	return as[i:max(i, j)]
}

func findings(as []citedEvidence) []rules.Finding {
	fs := make([]rules.Finding, 0, len(as))
	for _, a := range as {
		f := *a.finding
		f.Evidence = []rules.Evidence{a.evidence}
		fs = append(fs, f)
	}
	return fs
}

// runnables are the verdicts on running or runnable goroutines: accused, watched or innocent, and why.
func (c *converter) runnables(found []rules.Finding) []schema.Runnable {
	verdicts := spin.RunnableVerdicts(c.in, found)
	out := make([]schema.Runnable, 0, len(verdicts))
	for _, v := range verdicts {
		out = append(out, schema.Runnable{
			Goroutines: v.Goroutines, Count: v.Count, State: v.State, Verdict: v.Verdict, Reason: v.Reason,
			Frame: frameOf(&v.Frame, c.in.Program.Class(v.Frame.Frame)),
		})
	}
	return out
}

// maxSeriesBuckets is how many stacks of a series the report has: all of a usual program's, which has some 50.
const maxSeriesBuckets = 100

// Series brings a comparison into the report's form.
func Series(s *rules.Series) schema.Series {
	out := schema.Series{
		Process: s.Process, DumpsTotal: s.All, BucketsTotal: len(s.Rows),
		Dumps: []schema.SeriesDump{}, Steps: []schema.SeriesStep{}, Buckets: []schema.SeriesBucket{},
	}
	for i, d := range s.Dumps {
		path, line := d.Locate(d.Line)
		row := schema.SeriesDump{Input: path, Line: line, Time: d.Stamp,
			Goroutines: s.Comparison.Dumps[i].Goroutines}
		out.Dumps = append(out.Dumps, row)
	}
	for _, st := range s.Steps {
		out.Steps = append(out.Steps, schema.SeriesStep(st))
	}
	ranked := rankRows(s)
	for _, k := range ranked[:min(len(ranked), maxSeriesBuckets)] {
		out.Buckets = append(out.Buckets, seriesBucket(s, k.index))
	}
	return out
}

func seriesBucket(s *rules.Series, i int) schema.SeriesBucket {
	r := s.Rows[i]
	n := len(s.Dumps)
	at := s.Blame(r).Culprit
	b := schema.SeriesBucket{
		Function: at.Function, File: at.File, Line: at.Line, Wait: string(r.Last().Bucket.Class),
		Counts: r.Counts(n), Stayed: r.Stays(n), Stuck: len(r.Stuck), Trend: r.Trend,
	}
	if role := s.Roles[i]; role != nil {
		b.Role, b.Idle = role.Name, role.Idle
	}
	if by := r.Last().Bucket.CreatedBy; by != nil {
		b.CreatedBy = by.Func
	}
	return b
}

// rankRows orders the rows of a series by what matters: what grew, most first, then who is stuck without a role, then
// what shrank; those with an idle role after all others.
func rankRows(s *rules.Series) []rankedRow {
	all := make([]rankedRow, len(s.Rows))
	for i, r := range s.Rows {
		first, last := 0, 0
		if r.Cells[0].Dump == 0 {
			first = r.Cells[0].Count
		}
		if c := r.Last(); c.Dump == len(s.Dumps)-1 {
			last = c.Count
		}
		k := rankedRow{index: i, class: 3, size: max(first, last)}
		switch {
		case r.Trend == stackparse.TrendGrew || r.Trend == stackparse.TrendNew:
			k.class, k.size = 0, last-first
		case len(r.Stuck) > 0 && s.Roles[i] == nil:
			k.class, k.size = 1, len(r.Stuck)
		case r.Trend == stackparse.TrendShrank || r.Trend == stackparse.TrendGone:
			k.class, k.size = 2, first-last
		}
		if role := s.Roles[i]; role != nil && role.Idle {
			k.class += 4
		}
		all[i] = k
	}
	slices.SortStableFunc(all, func(a, b rankedRow) int { return cmp.Or(a.class-b.class, b.size-a.size) })
	return all
}

// A rankedRow is a row by its index, in order of class, the largest size first.
type rankedRow struct{ index, class, size int }
