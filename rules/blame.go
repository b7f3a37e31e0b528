package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// Bounds on what a finding carries, so that a fleet's merged report stays readable and mergeable.
const (
	// MaxEvidenceIDs is how many goroutine ids an Evidence keeps: the report contract's "smallest 100".
	MaxEvidenceIDs = 100
	// MaxPath is how many frames a Path keeps: what a runtime traceback shows of a deep stack is 50 inner and 50
	// outer frames since Go 1.21, and half of that is what people read. The middle is left out of longer ones.
	MaxPath = 50
)

// A Blame says who is to blame for a stack.
type Blame struct {
	// Culprit is the line at fault. Its Function is "" only for a stack without any frame and without a creator.
	Culprit Place
	// Path runs from the program's entry to the leaf.
	Path []PathFrame
	// Creator is the function that started the goroutine; "" for main.
	Creator string
	// Index is the culprit's index in the stack's frames, -1 where the creator stands in for a stack that names nobody.
	Index int
}

// BlameBucket blames a bucket's stack: from its leaf, over the frames that count (Bucket.Shown).
func BlameBucket(d *DumpInput, b *stackparse.Bucket) Blame {
	return BlameBelow(d, b, 0)
}

// BlameBelow blames a bucket's stack for what stands at Frames[from] and below it (towards the entry): the frames
// under a panic, say, without the deferred functions that ran because of it.
func BlameBelow(d *DumpInput, b *stackparse.Bucket, from int) Blame {
	shown := b.Shown
	if len(shown) == 0 {
		shown = indices(len(b.Frames))
	}
	i, _ := slices.BinarySearch(shown, from)
	return blame(d.Program, b.Frames, shown[i:], b.CreatedBy)
}

// BlameStack blames a bare stack, leaf first: one access of a race report, a runtime stack.
func BlameStack(p frame.Program, frames []stackparse.Frame) Blame {
	return blame(p, frames, indices(len(frames)), nil)
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func blame(p frame.Program, frames []stackparse.Frame, shown []int, creator *stackparse.Frame) Blame {
	bl := Blame{Index: culpritIndex(p, frames, shown)}
	if creator != nil {
		bl.Creator = creator.Func
	}
	switch {
	case bl.Index >= 0:
		bl.Culprit = PlaceOf(frames[bl.Index].Frame)
	case creator != nil:
		bl.Culprit = PlaceOf(creator.Frame)
	case len(shown) > 0 && frames[shown[0]].Elided == 0:
		bl.Index = shown[0]
		bl.Culprit = PlaceOf(frames[shown[0]].Frame)
	}
	bl.Path = pathOf(p, frames, shown)
	return bl
}

// culpritIndex finds the nearest frame to the leaf that is neither runtime, standard library nor framework; failing
// that the nearest that is not runtime or standard library; failing that -1.
func culpritIndex(p frame.Program, frames []stackparse.Frame, shown []int) int {
	fallback := -1
	for _, i := range shown {
		f := frames[i]
		if f.Elided != 0 || f.Func == "" {
			continue
		}
		switch p.Class(f.Frame) {
		case frame.ClassRuntime, frame.ClassStdlib:
			continue
		}
		if !p.Framework(f.Frame) {
			return i
		}
		if fallback < 0 {
			fallback = i
		}
	}
	return fallback
}

func pathOf(p frame.Program, frames []stackparse.Frame, shown []int) []PathFrame {
	steps := make([]PathFrame, 0, min(len(shown), MaxPath))
	for n := len(shown) - 1; n >= 0; n-- {
		if len(shown) > MaxPath && n >= MaxPath/2 && n < len(shown)-MaxPath/2 {
			continue
		}
		f := frames[shown[n]]
		if f.Elided != 0 {
			continue
		}
		steps = append(steps, PathFrame{Function: f.Func, File: f.File, Line: f.Line, Class: p.Class(f.Frame).String()})
	}
	return steps
}

// EvidenceOf is the evidence that all goroutines of a bucket give: where the first of them stands, the smallest
// MaxEvidenceIDs ids, and the count. An empty text becomes "goroutine 7 [select, 3 minutes], 12 goroutines".
func EvidenceOf(d *DumpInput, b *stackparse.Bucket, text string) Evidence {
	if len(b.Goroutines) == 0 {
		e := EvidenceAt(d, d.Line, text)
		e.Count = b.Count
		if text == "" {
			e.Text = CountGoroutines(b.Count)
		}
		return e
	}
	e := EvidenceOfGoroutines(d, b.Goroutines, text)
	e.Count = max(b.Count, len(b.Goroutines))
	return e
}

// EvidenceOfGoroutines is EvidenceOf for some goroutines of a bucket: the runnable ones of it, say. gs is not changed.
func EvidenceOfGoroutines(d *DumpInput, gs []stackparse.Goroutine, text string) Evidence {
	if len(gs) == 0 {
		return EvidenceAt(d, d.Line, text)
	}
	first := &gs[0]
	for i := range gs {
		if gs[i].Line < first.Line {
			first = &gs[i]
		}
	}
	if text == "" {
		text = headerText(d, first)
		if len(gs) > 1 {
			text += ", " + CountGoroutines(len(gs))
		}
	}
	e := EvidenceAt(d, first.Line, text)
	e.Goroutines = SmallestIDs(gs)
	e.Count = len(gs)
	return e
}

// EvidenceAt is the evidence of one line of the dump's stream: the cause's, an access of a race report.
func EvidenceAt(d *DumpInput, line int64, text string) Evidence {
	e := Evidence{Input: d.Input, Line: line, Time: d.Stamp, Text: text, Goroutines: []uint64{}, Count: 1}
	if d.Locate != nil {
		e.Input, e.Line = d.Locate(line)
	}
	return e
}

// SmallestIDs returns the smallest MaxEvidenceIDs ids in ascending order; never nil. The same ids come out whatever
// the order of merging. Of many goroutines only those below the hundredth so far are looked at twice.
func SmallestIDs(gs []stackparse.Goroutine) []uint64 {
	ids := make([]uint64, 0, min(len(gs), 4*MaxEvidenceIDs))
	bound, bounded := uint64(0), false
	for i := range gs {
		if bounded && gs[i].ID >= bound {
			continue
		}
		if ids = append(ids, gs[i].ID); len(ids) == 4*MaxEvidenceIDs {
			slices.Sort(ids)
			ids = ids[:MaxEvidenceIDs]
			bound, bounded = ids[MaxEvidenceIDs-1], true
		}
	}
	slices.Sort(ids)
	return slices.Clip(ids[:min(len(ids), MaxEvidenceIDs)])
}

// headerText writes a header in the plain form that every release's reader knows: "goroutine 7 [select, 3 minutes]".
func headerText(d *DumpInput, g *stackparse.Goroutine) string {
	s := "goroutine " + strconv.FormatUint(g.ID, 10)
	if int(g.State) < len(d.States) {
		s += " [" + d.StateOf(g)
		if g.Minutes > 0 {
			s += ", " + strconv.FormatUint(uint64(g.Minutes), 10) + " minutes"
		}
		s += "]"
	}
	return s
}

// countMinutes writes a number with its noun; the runtime's own "1 minutes" stays in quoted headers.
func countMinutes(n uint32) string {
	if n == 1 {
		return "1 minute"
	}
	return strconv.FormatUint(uint64(n), 10) + " minutes"
}

// CountGoroutines writes a number with its noun: "1 goroutine", "12 goroutines".
func CountGoroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return strconv.Itoa(n) + " goroutines"
}

// Fingerprint names a finding across dumps, pods and restarts: a hash over the rule, the culprit and the creator,
// without addresses, ids, minutes, vendor prefixes, type arguments or folders, as 16 hexadecimal digits.
func Fingerprint(rule string, culprit Place, creator string) string {
	h := sha256.New()
	for _, s := range []string{
		rule, PlainName(culprit.Function), baseFile(culprit.File), strconv.Itoa(culprit.Line), PlainName(creator),
	} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// FingerprintObject is Fingerprint for findings about a Kubernetes object.
func FingerprintObject(rule string, o Object) string {
	return Fingerprint(rule, Place{Function: strings.Join([]string{o.API, o.Kind, o.Namespace, o.Name}, "/")}, "")
}

// baseFile is the last element of a path of any system: dumps of Windows programs are read on Linux too.
func baseFile(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}

// PlainName is a function's name as its source calls it: without the folder that vendored it, type arguments and
// wrapper suffixes, so that builds of one source agree. Closures keep their suffix: "pkg.Serve.func1".
func PlainName(fn string) string {
	fn = strings.TrimSuffix(fn, "-fm")
	if i := strings.LastIndex(fn, "/vendor/"); i >= 0 {
		fn = fn[i+len("/vendor/"):]
	} else {
		fn = strings.TrimPrefix(fn, "vendor/")
	}
	if i := strings.LastIndex(fn, ".gowrap"); i >= 0 {
		fn = fn[:i]
	}
	return dropTypeArgs(fn)
}

// dropTypeArgs removes bracketed parts: the runtime prints "[...]", profiles spell the arguments out.
func dropTypeArgs(fn string) string {
	if strings.IndexByte(fn, '[') < 0 {
		return fn
	}
	var sb strings.Builder
	depth := 0
	for i := 0; i < len(fn); i++ {
		switch c := fn[i]; {
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			sb.WriteByte(c)
		}
	}
	return sb.String()
}
