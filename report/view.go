package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// A view is a report while it is written as text, with what several sections need to know of it.
type view struct {
	*printer
	report      *schema.Report
	names       Names
	beginsDump  map[string]bool   // the inputs that a dump begins in
	continues   map[string]string // input that a dump of another runs on through → that other
	minedInputs map[string]bool   // the inputs whose lines repeat themselves: rules looked at them
	// bucketOfFinding is the bucket that a finding's first goroutine is in, by the finding's index.
	bucketOfFinding    map[int]*schema.Bucket
	ofSeveralProcesses bool // it is about more than one process
	// accused is how many goroutines of a bucket findings speak of, as culprits or victims; running how many others of
	// it were running, which a verdict of their own explains.
	accused, running map[*schema.Bucket]int
}

func newView(r *schema.Report, p *printer) *view {
	r = withLeads(r)
	v := &view{
		printer: p, report: r, names: InputNames(r), beginsDump: map[string]bool{}, minedInputs: map[string]bool{},
		bucketOfFinding: map[int]*schema.Bucket{}, ofSeveralProcesses: ofSeveral(r),
		accused: map[*schema.Bucket]int{}, running: map[*schema.Bucket]int{},
	}
	for d := range pointers(r.Dumps) {
		v.beginsDump[d.Input] = true
	}
	for p := range pointers(r.Patterns) {
		v.minedInputs[p.Input] = true
	}
	v.continues = v.continued()
	v.findBuckets()
	return v
}

// A soughtEvidence is an evidence whose bucket is looked for.
type soughtEvidence struct {
	finding int
	e       *rules.Evidence
}

// rowsBesideLead is how many rows of a section are shown: beside a lead a third of them.
func (v *view) rowsBesideLead(limit int) int {
	if v.first() != nil {
		return (limit + 1) / 3
	}
	return limit
}

// findBuckets looks up in one walk over the buckets where the findings' and verdicts' goroutines are.
func (v *view) findBuckets() {
	evidence, asked := map[uint64][]soughtEvidence{}, idFilter{}
	for i := range v.report.Findings {
		for e := range pointers(v.report.Findings[i].Evidence) {
			if len(e.Goroutines) > 0 {
				evidence[e.Goroutines[0]] = append(evidence[e.Goroutines[0]], soughtEvidence{i, e})
				asked.add(e.Goroutines[0])
			}
		}
	}
	for d := range pointers(v.report.Dumps) {
		judged := map[uint64]int{}
		for i, r := range d.Runnable {
			if len(r.Goroutines) > 0 {
				judged[r.Goroutines[0]] = i + 1
				asked.add(r.Goroutines[0])
			}
		}
		for b := range pointers(d.Buckets) {
			v.accuseCounted(d, b)
			for _, id := range b.Goroutines {
				if !asked.mayHave(id) {
					continue
				}
				claimed := v.accused[b]
				for _, w := range evidence[id] {
					v.claim(w, d, b)
				}
				// What is accused without evidence here is accused in another dump of the process.
				if i := judged[id]; i > 0 && (d.Runnable[i-1].Verdict != "accused" || v.accused[b] == claimed) {
					v.running[b] += d.Runnable[i-1].Count
				}
			}
		}
	}
	for i := range v.report.Findings[:min(len(v.report.Findings), fullFindings)] {
		if v.bucketOfFinding[i] == nil {
			v.bucketOfFinding[i] = v.bucketOf(&v.report.Findings[i])
		}
	}
}

// An idFilter reports, of ids that nobody asked for, that most were not added.
type idFilter [256]uint64

func (f *idFilter) add(id uint64) { f[id>>6%256] |= 1 << (id % 64) }

func (f *idFilter) mayHave(id uint64) bool { return f[id>>6%256]&(1<<(id%64)) != 0 }

// bucketOf finds a finding's bucket by its culprit and its leaf: a counted dump has no ids, and of a large bucket
// only the smallest are kept.
func (v *view) bucketOf(f *rules.Finding) *schema.Bucket {
	if len(f.Path) == 0 || len(f.Evidence) == 0 || f.Culprit.Function == "" {
		return nil
	}
	leaf := rules.Place{Function: f.Path[len(f.Path)-1].Function, Line: f.Path[len(f.Path)-1].Line}
	for d := range pointers(v.report.Dumps) {
		if !v.mayStandIn(&f.Evidence[0], d) {
			continue
		}
		for b := range pointers(d.Buckets) {
			if !passes(b, f.Culprit) || !passes(b, leaf) {
				continue
			}
			v.accuse(b, f.Evidence[0].Count)
			return b
		}
	}
	return nil
}

// claim notes that evidence w speaks of bucket b: the ids agree, and so do input and culprit where known.
func (v *view) claim(w soughtEvidence, d *schema.Dump, b *schema.Bucket) {
	f := &v.report.Findings[w.finding]
	switch {
	case !v.mayStandIn(w.e, d):
	case passes(b, f.Culprit):
		v.accuse(b, w.e.Count)
		if w.e == &f.Evidence[0] && v.bucketOfFinding[w.finding] == nil {
			v.bucketOfFinding[w.finding] = b
		}
	case w.e.Input == d.Input && d.Line <= w.e.Line && w.e.Line <= d.EndLine:
		v.accuse(b, w.e.Count) // not the culprit, but its victim: the evidence is inside the dump
	}
}

// accuseCounted notes that findings speak of a bucket whose goroutines have no ids: their evidence has its place and
// its number.
func (v *view) accuseCounted(d *schema.Dump, b *schema.Bucket) {
	if len(b.Goroutines) > 0 {
		return
	}
	for i := range v.report.Findings {
		for e := range pointers(v.report.Findings[i].Evidence) {
			if e.At != nil && e.Count == b.Count && v.mayStandIn(e, d) && passes(b, *e.At) {
				v.accuse(b, e.Count)
			}
		}
	}
}

// accuse notes that a finding speaks of count goroutines of b; those of two findings may be the same ones.
func (v *view) accuse(b *schema.Bucket, count int) {
	v.accused[b] = min(max(v.accused[b], count, 1), b.Count)
}

// unexplained is how many goroutines of b no finding and no verdict on running ones speaks of: its role explains them,
// or nothing does.
func (v *view) unexplained(b *schema.Bucket) int {
	return max(0, b.Count-v.accused[b]-v.running[b])
}

// latest is the last dump of each process, of those that list goroutines where there is one: others of the same process
// repeat its goroutines, and would count them twice. Dumps of processes that nothing names are each their own. Where no
// times show the order, that of the series does: after.txt is read before before.txt.
func (v *view) latest() []*schema.Dump {
	type name struct {
		process, input string
		line           int64
	}
	places := map[name]int{}
	for i := range v.report.Series {
		for k, d := range v.report.Series[i].Dumps {
			places[name{v.report.Series[i].Process, d.Input, d.Line}] = k
		}
	}
	order := func(d *schema.Dump) (listed bool, time string, place int) {
		listed = d.Format != string(stackparse.FormatDebug1) && d.Format != string(stackparse.FormatProfile)
		return listed, d.Time, places[name{d.Process, d.Input, d.Line}]
	}
	at := map[string]int{}
	var list []*schema.Dump
	for d := range pointers(v.report.Dumps) {
		i, known := at[d.Process]
		if d.Process == "" || !known {
			at[d.Process] = len(list)
			list = append(list, d)
			continue
		}
		listed, time, place := order(d)
		other, before, first := order(list[i])
		if listed && !other || listed == other && cmp.Or(cmp.Compare(time, before), cmp.Compare(place, first)) >= 0 {
			list[i] = d
		}
	}
	return list
}

// mayStandIn reports whether e may point into d: their inputs agree, or no dump begins in e's, which then is the later
// half of a rotated pair.
func (v *view) mayStandIn(e *rules.Evidence, d *schema.Dump) bool {
	return e.Input == d.Input || !v.beginsDump[e.Input]
}

// passes reports whether b's stack, its creator included, holds the place; a place without a function is everywhere.
func passes(b *schema.Bucket, at rules.Place) bool {
	same := func(f schema.Frame) bool { return f.Function == at.Function && f.Line == at.Line }
	return at.Function == "" || b.CreatedBy != nil && same(*b.CreatedBy) || slices.ContainsFunc(b.Frames, same)
}

// at is "1.log:168" for a line of an input. A long name is cut from the left; the line never.
func (v *view) at(path string, line int64) string {
	return v.atIn(path, line, max(v.width/3, 24))
}

// atIn is at, in columns.
func (v *view) atIn(path string, line int64, columns int) string {
	return cutLeft(v.escape(v.names.At(path, line)), columns, v.glyphs.ellipsis)
}

// place is Place, escaped; a long name is cut from the left.
func (v *view) place(file string, line int) string {
	return cutLeft(v.escape(Place(file, line)), maxFunction, v.glyphs.ellipsis)
}

// function is a function's name with as much of its import path as fits in w columns, and without type arguments where
// they don't fit; the vendor folder is left out.
func (v *view) function(fn string, w int) string {
	s := symbol.Shorten(symbol.StripVendor(fn), w)
	if width(s) > w {
		s = symbol.Shorten(symbol.HideTypeArgs(symbol.StripVendor(fn)), w)
	}
	if v.glyphs.ellipsis != "…" {
		s = strings.Replace(s, "…", v.glyphs.ellipsis, 1)
	}
	return cut(v.escape(s), maxFunction, v.glyphs.ellipsis)
}

// shortFunction is a function's name with the last element of its import path.
func (v *view) shortFunction(fn string) string {
	return cut(v.escape(symbol.ShortFunc(fn)), maxFunction, v.glyphs.ellipsis)
}

// ids writes the first goroutine ids of n: "7, 8, 12, 15, +96 more".
func (v *view) ids(ids []uint64, n int) string {
	return v.some(len(ids), max(n, len(ids)), shownIDs, func(i int) string { return strconv.FormatUint(ids[i], 10) })
}

// goroutineIDs are the first of n goroutines by their ids: "goroutine 7", "goroutines 7, 9, 12, 15, +3 more".
func (v *view) goroutineIDs(ids []uint64, n int) string {
	return "goroutine" + textIf(max(n, len(ids)) > 1, "s") + " " + v.ids(ids, n)
}

// stateText is what is in a goroutine's brackets: "chan receive, 3 minutes", "select, 2 to 9 minutes".
func (v *view) stateText(b *schema.Bucket) string {
	return v.escape(joined(", ", b.State, Waited(b.Minutes)))
}

// dim is the style of runtime and standard library frames.
func (v *view) dim(class string) string {
	if class == frame.ClassRuntime.String() || class == frame.ClassStdlib.String() {
		return v.colour.Dim
	}
	return ""
}

const (
	// maxElements is how many elements of a path a name may have; paths that differ only before them are shown whole.
	maxElements = 16
	// nodeElements is how far from its end a path is searched for its node's name:
	// nodes/node-1.zip!/node-1/logs/kubelet.log.
	nodeElements = 5
)

// InputNames gives each path of the report the shortest name by whole path elements that no other path ends in:
// "1.log", or "manager/1.log" beside "agent/1.log". Standard input is called so.
func InputNames(r *schema.Report) Names {
	names := Names{}
	for in := range pointers(r.Inputs) {
		names[in.Path] = ""
	}
	for d := range pointers(r.Dumps) {
		names[d.Input] = ""
	}
	for _, s := range r.Skipped {
		names[s.Path] = ""
	}
	for f := range pointers(r.Findings) {
		for _, e := range f.Evidence {
			names[e.Input] = ""
		}
	}
	if r.Cluster != nil {
		for _, g := range slices.Concat(r.Cluster.Gaps, r.Cluster.Remarks) {
			names[g.Input] = ""
		}
	}
	left := slices.Collect(maps.Keys(names))
	for path := range names {
		names[path] = path
	}
	for n := 1; len(left) > 0 && n <= maxElements; n++ {
		shared := map[string]int{}
		for _, path := range left {
			shared[lastElements(path, n)]++
		}
		left = slices.DeleteFunc(left, func(path string) bool {
			name := lastElements(path, n)
			if shared[name] > 1 && name != path {
				return false
			}
			names[path] = name
			return true
		})
	}
	nameByPod(names, r.Inputs)
	nameByNode(names, r.Inputs)
	names["-"] = "stdin"
	return names
}

// nameByPod shows logs of one name by their pods: a kubelet's folder ends in the pod's UID, which means nothing. In an
// archive every pod's log is shown so: its folders are unknown.
func nameByPod(names Names, inputs []schema.Input) {
	byPod := func(in *schema.Input) string {
		base := lastElements(in.Path, 1)
		if stem, _, _ := strings.Cut(base, "."); stem == in.Container {
			return in.Pod + "/" + base
		}
		return in.Pod + "/" + in.Container + "/" + base
	}
	seen := map[string]int{}
	for in := range pointers(inputs) {
		seen[byPod(in)]++
	}
	for in := range pointers(inputs) {
		if in.Pod == "" || in.Container == "" || seen[byPod(in)] != 1 {
			continue
		}
		if strings.Contains(names[in.Path], "/") || strings.Contains(in.Path, ingest.InsideArchive) {
			names[in.Path] = byPod(in)
		}
	}
}

// nameByNode keeps the node in the name of what an archive holds of a node but of no pod: its kubelet's log, its
// kernel's.
func nameByNode(names Names, inputs []schema.Input) {
	for in := range pointers(inputs) {
		if in.Pod != "" || in.Node == "" || !strings.Contains(in.Path, ingest.InsideArchive) ||
			strings.Contains(names[in.Path], in.Node) {
			continue
		}
		for n := 2; n <= nodeElements; n++ {
			if name := lastElements(in.Path, n); strings.HasPrefix(name, in.Node+"/") {
				names[in.Path] = name
				break
			}
		}
	}
}

// lastElements is the last n elements of a slash- or backslash-separated path.
func lastElements(path string, n int) string {
	end := len(strings.TrimRight(path, `/\`))
	for i := end - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			if n--; n == 0 {
				return path[i+1:]
			}
		}
	}
	return path
}

// continued maps the files that a dump runs on through, where rotation cut it, to the file that it begins in.
func (v *view) continued() map[string]string {
	rest := map[string]string{}
	for d := range pointers(v.report.Dumps) {
		if d.EndInput == "" || d.EndInput == d.Input {
			continue
		}
		inside := false
		for in := range pointers(v.report.Inputs) { // files of one log are in order of time
			if inside {
				rest[in.Path] = d.Input
			}
			if in.Path == d.Input || in.Path == d.EndInput {
				inside = in.Path == d.Input
			}
		}
	}
	return rest
}

// sideInputs names the first of a side's inputs.
func (v *view) sideInputs(paths []string) string {
	switch len(paths) {
	case 0:
		return "no input"
	case 1:
		return v.at(paths[0], 0)
	}
	return v.at(paths[0], 0) + " and " + phrase.Number(len(paths)-1) + " more"
}
