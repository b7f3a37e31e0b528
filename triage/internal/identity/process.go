package identity

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/least"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// NameDumps settles which dumps are of one process. Where an origin names it (a container's restart, one test
// binary), only its end has to be found: a runtime that printed a fatal dump prints no more, so what follows in the
// same log is the next process. Where only the manifest of a capture does, all dumps that it lists are of one process.
// Where nothing names it, two dumps are of one process when their goroutines are: equal ids in equal stacks, waiting
// for equal addresses. A dump of unknown process that resembles no other keeps "". Forms that count goroutines have no
// ids to compare: these are of the process of their folder, as profiles are.
func NameDumps(dumps []*rules.DumpInput, captures Captures) {
	ended := map[string]int{}   // process → how many of its generations ended
	last := map[string]string{} // process → the input that ended it
	for _, d := range dumps {
		if d.Process == "" {
			continue
		}
		name := d.Process
		if n := ended[name]; n > 0 && (rules.Deadly(d.Dump) || last[name] == d.Input) {
			d.Process = fmt.Sprintf("%s#%d", name, n+1)
		}
		if rules.Deadly(d.Dump) {
			ended[name]++
			last[name] = d.Input
		}
	}
	nameAnonymous(dumps, captures)
	nameCounted(dumps)
}

// MaxCollapsed is the most goroutines that a dump may have to be merged with an equal one: a panic prints one, a
// race report none. Dumps of all goroutines stay apart, however alike: two of them show what did not move.
const MaxCollapsed = 2

// maxAnonymous bounds how many processes without a name a dump is held against: the comparison is of samples, but
// a folder may hold thousands of dumps.
const maxAnonymous = 64

func nameAnonymous(dumps []*rules.DumpInput, captures Captures) {
	type process struct {
		first  *rules.DumpInput
		source string // Captures.processFolder of its dumps, "" where no manifest lists them
		sample []Trait
		dead   bool
	}
	var known []*process
	named := 0
	var sample []Trait
	for _, d := range dumps {
		if d.Process != "" || d.Goroutines <= MaxCollapsed {
			continue
		}
		sample = sampleIn(sample, d.Dump)
		source := captures.processFolder(d.Input)
		i := slices.IndexFunc(known, func(p *process) bool { return source != "" && p.source == source })
		if i < 0 {
			i = slices.IndexFunc(known, func(p *process) bool {
				return !(p.dead && rules.Deadly(d.Dump)) && SameProcess(p.sample, sample) &&
					stackparse.SameStarts(p.first.Buckets, d.Buckets)
			})
		}
		if i < 0 {
			if len(known) < maxAnonymous && (len(sample) > 0 || source != "") {
				known = append(known, &process{
					first: d, source: source, sample: slices.Clone(sample), dead: rules.Deadly(d.Dump),
				})
			}
			continue
		}
		p := known[i]
		if p.first.Process == "" {
			named++
			p.first.Process = fmt.Sprintf("process %d", named)
		}
		d.Process = p.first.Process
		// The next dump is held against this one: over hours even the oldest goroutines of a process change. One that
		// counts its goroutines has none to compare.
		if len(sample) > 0 {
			p.sample = append(p.sample[:0], sample...)
		}
		p.dead = p.dead || rules.Deadly(d.Dump)
	}
}

// nameCounted names the process of dumps that count goroutines: that of the listed dumps in their folder, where these
// are of one process and of no other program.
func nameCounted(dumps []*rules.DumpInput) {
	type group struct{ folder, module string }
	var listed map[string][]*rules.DumpInput // folder → its listed dumps; made for the first counted dump
	names := map[group]string{}
	for _, d := range dumps {
		if d.Process != "" || !d.Counted() {
			continue
		}
		if listed == nil {
			listed = listedByFolder(dumps)
		}
		g := group{filepath.Dir(d.Input), d.Program.Module}
		name, ok := names[g]
		if !ok {
			name = listedProcess(listed[g.folder], g.folder, g.module)
			names[g] = name
		}
		d.Process = name
	}
}

func listedByFolder(dumps []*rules.DumpInput) map[string][]*rules.DumpInput {
	listed := map[string][]*rules.DumpInput{}
	for _, d := range dumps {
		if !d.Counted() {
			folder := filepath.Dir(d.Input)
			listed[folder] = append(listed[folder], d)
		}
	}
	return listed
}

// listedProcess is dumpProcess for the listed dumps of a folder. A dump without a name beside others is of a process
// that nothing recognised: then the folder holds several.
func listedProcess(listed []*rules.DumpInput, folder, module string) string {
	nameless := func(d *rules.DumpInput) bool { return d.Process == "" }
	if len(listed) > 1 && slices.ContainsFunc(listed, nameless) {
		return ""
	}
	return dumpProcess(listed, folder, module)
}

// A Trait is something that a goroutine keeps between two dumps of its process: its stack, what it waits for, and
// addresses among the words of its calls; 0 where the dump has none.
type Trait struct {
	id    uint64
	key   uint64
	Wait  uint64
	words [traitWords]uint64
}

// traitWords is how many addresses of a goroutine's calls are compared. Chosen: as many as have one in common where all
// have.
const traitWords = 4

// maxTraits is how many goroutines a sample holds: those with the smallest ids, which are the oldest, so that both
// dumps of a process sample the same ones.
const maxTraits = 256

// SampleOf returns the traits of a dump's oldest goroutines in order of their ids.
func SampleOf(d *stackparse.Dump) []Trait { return sampleIn(nil, d) }

// sampleIn is SampleOf in the room of a sample that is no longer needed.
func sampleIn(room []Trait, d *stackparse.Dump) []Trait {
	ids := sampledIDs(d)
	if len(ids) == 0 {
		return nil
	}
	all := slices.Grow(room[:0], len(ids))[:len(ids)]
	clear(all)
	last := ids[len(ids)-1]
	for _, b := range d.Buckets {
		samples := b.Samples
		for i := range b.Goroutines {
			g := &b.Goroutines[i]
			var words []stackparse.Word
			if len(samples) > 0 && samples[0].Index == i {
				words, samples = samples[0].Words, samples[1:]
			}
			if g.ID == 0 || g.ID > last || g.ID == last && all[len(all)-1].id == last {
				continue // every thread has a goroutine 0
			}
			at, _ := slices.BinarySearch(ids, g.ID)
			for all[at].id == g.ID {
				at++ // a second goroutine with that id, in text that no runtime wrote
			}
			all[at] = Trait{id: g.ID, key: b.Key, Wait: g.Wait, words: heapWords(words)}
		}
	}
	return all
}

// sampledIDs are the ids of a dump's sample in ascending order.
func sampledIDs(d *stackparse.Dump) []uint64 {
	ids := least.New(maxTraits, d.Goroutines)
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if id := b.Goroutines[i].ID; id != 0 {
				ids.Add(id)
			}
		}
	}
	return ids.Sorted()
}

// minHeap is above what a program's own text and data take: their addresses are the same in every process of it.
const minHeap = 1 << 32

// heapWords are the last words that are addresses on the heap or a stack, for sure: those of the outermost calls, which
// stay while the inner ones come and go.
func heapWords(words []stackparse.Word) (last [traitWords]uint64) {
	n := 0
	for _, w := range slices.Backward(words) {
		if v := w.Value(); n < traitWords && !w.Uncertain() && isAddress(v) && !slices.Contains(last[:n], v) {
			last[n] = v
			n++
		}
	}
	return last
}

// isAddress reports whether a word is most likely an address: no duration of whole milliseconds, no power of two. Ten
// seconds are as great as an address, and equal in every process.
func isAddress(word uint64) bool {
	return word >= minHeap && word%uint64(time.Millisecond) != 0 && word&(word-1) != 0
}

// enoughEqual is how many goroutines with an address in common are enough however many others came and went.
const enoughEqual = 4

// SameProcess compares two samples. Four in five of the goroutines whose addresses can be compared must agree, and they
// must be many: half of the goroutines of the smaller sample are in both, or enoughEqual have the same addresses.
// Without addresses nothing is decided: replicas of one program give equal ids to equal stacks, at their start and,
// where one clock drives them, ever after (196 of 234 in two runs of a healthy program).
//
// Chosen with 1,602 pairs of dumps of one process, made seconds to minutes apart, of which 38 are not recognised: their
// goroutines wait for another lock each time, or most are gone. Of 4,593 pairs of two processes of one program
// (replicas, other runs, with and without the bug) those 11 are taken for one that have one processor, a heap that the
// runtime puts at one place (Go 1.25 and before), and just started.
func SameProcess(a, b []Trait) bool {
	both, told, equal := 0, 0, 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i].id, b[j].id); {
		case c < 0:
			i++
			continue
		case c > 0:
			j++
			continue
		}
		both++
		if same, known := a[i].agrees(&b[j]); known {
			told++
			if same {
				equal++
			}
		}
		i++
		j++
	}
	return both > 1 && equal > 0 && 5*equal >= 4*told && (2*both >= min(len(a), len(b)) || equal >= enoughEqual)
}

// agrees reports whether the addresses of a goroutine are those of the goroutine with its id in another dump, and
// whether that is known. In another stack other addresses are to be expected, so that only equal ones count.
func (t *Trait) agrees(o *Trait) (same, known bool) {
	if t.key == o.key && t.Wait != 0 && o.Wait != 0 {
		return t.Wait == o.Wait, true
	}
	for _, w := range t.words {
		if w != 0 && slices.Contains(o.words[:], w) {
			return true, true
		}
	}
	return false, t.key == o.key && t.words[0] != 0 && o.words[0] != 0
}

// NameProfiles settles which profiles are of one process, and of which dumps', where no pod names it: those in one
// folder of one program (its module and, where both have one, its build). fetch writes one folder a process; people
// who collect by hand mostly do too. Replicas in one folder are distinguished where they are of the same kind: see
// sameHeap in rules/hotspot.
func NameProfiles(pass *rules.Pass) {
	type group struct{ folder, module, build string }
	names := map[group]string{}
	for _, p := range pass.Profiles {
		if p.Process != "" {
			continue
		}
		g := group{filepath.Dir(p.Input), p.Program.Module, p.BuildID}
		name, ok := names[g]
		if !ok {
			name = dumpProcess(pass.Dumps, g.folder, p.Program.Module)
			if name == "" {
				name = "program " + cmp.Or(symbol.ShortFile(p.Binary), p.Program.Module, "of "+p.Input)
				if len(names) > 0 {
					name += fmt.Sprintf(" (%d)", len(names)+1)
				}
			}
			names[g] = name
		}
		p.Process = name
	}
}

// dumpProcess is the process of the dumps in a folder, "" where there is none, where there are several, and where a
// dump is of another program than module; "" for that is unknown and may be any. A dump that is alone gets a name.
func dumpProcess(dumps []*rules.DumpInput, folder, module string) string {
	var name string
	var nameless []*rules.DumpInput
	for _, d := range dumps {
		if filepath.Dir(d.Input) != folder {
			continue
		}
		if m := d.Program.Module; m != module && m != "" && module != "" {
			return ""
		}
		switch {
		case d.Process == "":
			nameless = append(nameless, d)
		case name == "":
			name = d.Process
		case name != d.Process:
			return ""
		}
	}
	if name == "" && len(nameless) == 1 {
		name = "program " + cmp.Or(module, "of "+nameless[0].Input)
		nameless[0].Process = name
	}
	return name
}

// FramesOf runs over the frames of the dumps' distinct stacks, creators and race accesses included.
func FramesOf(dumps []*rules.DumpInput) iter.Seq[frame.Frame] {
	return func(yield func(frame.Frame) bool) {
		type stack struct{ first, created *stackparse.Frame } // dumps of one stream share them
		seen := map[stack]bool{}
		for _, d := range dumps {
			for _, b := range d.Buckets {
				if len(b.Frames) > 0 && len(dumps) > 1 {
					s := stack{&b.Frames[0], b.CreatedBy}
					if seen[s] {
						continue
					}
					seen[s] = true
				}
				if !yieldFrames(yield, b.Frames) || b.CreatedBy != nil && !yield(b.CreatedBy.Frame) {
					return
				}
			}
			for _, r := range d.Races {
				if !yieldFrames(yield, r.Frames) {
					return
				}
			}
		}
	}
}

func yieldFrames(yield func(frame.Frame) bool, frames []stackparse.Frame) bool {
	for _, f := range frames {
		if f.Elided == 0 && !yield(f.Frame) {
			return false
		}
	}
	return true
}
