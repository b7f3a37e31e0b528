package stackparse

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/stackparse/frame"
)

// A countedDump collects the stacks of a profile that counts goroutines instead of listing them: they have no ids,
// states or creators there, unless labels show them.
type countedDump struct {
	dump    *Dump
	buckets map[uint64]*Bucket
	labels  map[string]uint16
	states  map[string]uint16
	names   interner
	seen    releaseEvidence
	// toolchains are those of the frames' files.
	toolchains toolchains
	budget     *Budget // nil for one of its own
	// listed counts the goroutines whose labels show their ids.
	listed int
}

// maxCountedFrames bounds one stack. The runtime records at most 128 frames (pprof, Go 1.23+; 32 and 100 before).
const maxCountedFrames = 512

// maxCount bounds what hostile counts can add up to.
const maxCount = 1 << 40

func newCountedDump(format Format, line int64, stamp string, budget *Budget) *countedDump {
	return &countedDump{
		dump: &Dump{
			Format: format, Line: line, EndLine: line, LastLine: line, Seen: 1, Stamp: stamp,
			States: []string{}, Labels: []string{""},
		},
		buckets: make(map[uint64]*Bucket),
		labels:  make(map[string]uint16),
		states:  make(map[string]uint16),
		names:   make(interner),
		budget:  budget,

		toolchains: make(toolchains),
	}
}

// full reports that there is no room for another distinct stack.
func (c *countedDump) full() bool { return c.budget.full(c.dump) }

// fold counts n goroutines in the bucket without frames.
func (c *countedDump) fold(n int) *Bucket {
	key := stackKey(nil, nil, nil)
	rest := c.buckets[key]
	if rest == nil {
		rest = &Bucket{Frames: []Frame{}, Shown: []int{}, Class: ClassOther, Key: key}
		c.buckets[key] = rest
		c.dump.Buckets = append(c.dump.Buckets, rest)
	}
	c.dump.Folded += n
	rest.Count += n
	return rest
}

// add counts goroutines with one stack, leaf first, and returns their bucket, nil for none. Stacks that differ in
// labels only fall into one bucket.
func (c *countedDump) add(frames []Frame, count int64, leaked bool) *Bucket {
	return c.addIn(frames, "", count, leaked)
}

// addIn is add for goroutines whose state is known; "" is none.
func (c *countedDump) addIn(frames []Frame, state string, count int64, leaked bool) *Bucket {
	n := int(max(0, min(count, maxCount-int64(c.dump.Goroutines))))
	if n == 0 {
		return nil
	}
	c.dump.Goroutines += n
	shown := shownFrames(frames)
	key := stackKey(frames, shown, nil)
	b := c.buckets[key]
	if b == nil && c.full() {
		return c.fold(n)
	}
	if b == nil {
		c.budget.charge(c.dump, stackCost(0, len(frames)))
		b = &Bucket{Frames: slices.Clone(frames), Shown: shown, Class: classOf(frames, state), Key: key, Leaked: leaked}
		c.buckets[key] = b
		c.dump.Buckets = append(c.dump.Buckets, b)
		c.seen.frames(b.Frames, c.toolchains)
	}
	b.Count += n
	return b
}

// label notes a label set, given as sorted "key: value" pairs, and returns its index.
func (c *countedDump) label(pairs []string) uint16 {
	text := cutText([]byte(strings.Join(pairs, ", ")), maxLogLine)
	if i, ok := c.labels[text]; ok || text == "" {
		return i
	}
	if len(c.dump.Labels) > maxLabelSets {
		c.dump.LabelsCut++
		return 0
	}
	i := uint16(len(c.dump.Labels))
	c.labels[text] = i
	c.dump.Labels = append(c.dump.Labels, text)
	return i
}

func (c *countedDump) finish() *Dump {
	if c.dump.Listed = c.listed > 0 && c.listed == c.dump.Goroutines; !c.dump.Listed {
		c.unlist()
	}
	slices.SortStableFunc(c.dump.Buckets, func(a, b *Bucket) int { return b.Count - a.Count })
	c.dump.Go = c.seen.release(c.dump)
	return c.dump
}

// unsymbolized is the frame of an address that the profile has no name for.
func unsymbolized(address string) Frame { return Frame{Frame: frame.Frame{Func: address}} }

// A CountedStack is a stack of a goroutine profile, leaf first, calls inlined into one another innermost first.
type CountedStack struct {
	Frames []Frame
	Count  int64    // of goroutines
	Labels []string // "key: value", sorted
}

// FromProfile turns the stacks of a binary goroutine profile into a Dump of FormatProfile: distinct stacks with
// counts, the runtime's own frames included, without ids, states and creators. Where each stack is one goroutine's,
// with its id, state, age and creator in labels (see labelled), they are taken from there. leaked reports that it is a
// goroutineleak profile: nothing can wake its goroutines; taken is when it was taken, zero for unknown. Frames and
// labels may be used again.
func FromProfile(stacks iter.Seq[CountedStack], leaked bool, taken time.Time) *Dump {
	stamp := ""
	if !taken.IsZero() {
		stamp = taken.UTC().Format(time.RFC3339Nano)
	}
	c := newCountedDump(FormatProfile, 1, stamp, nil)
	for s := range stacks {
		frames := s.Frames[:min(len(s.Frames), maxCountedFrames)]
		l, rest := readLabels(s.Labels)
		if l.id == 0 || s.Count != 1 {
			c.add(frames, s.Count, leaked)
			c.label(s.Labels)
			continue
		}
		if b := c.addIn(frames, l.state, 1, leaked); b != nil {
			c.list(b, l, c.label(rest))
		}
	}
	return c.finish()
}
