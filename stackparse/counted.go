package stackparse

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/stackparse/frame"
)

// A countedDump collects the stacks of a profile that counts goroutines instead of listing them: they have no ids,
// states or creators there.
type countedDump struct {
	dump    *Dump
	buckets map[uint64]*Bucket
	labels  map[string]bool
	names   interner
	seen    evidence
}

// maxCountedFrames bounds one stack. The runtime records at most 128 frames (pprof, Go 1.23+; 32 and 100 before).
const maxCountedFrames = 512

// maxCount bounds what hostile counts can add up to.
const maxCount = 1 << 40

func newCountedDump(format Format, line int64, stamp string) *countedDump {
	return &countedDump{
		dump: &Dump{
			Format: format, Line: line, EndLine: line, LastLine: line, Seen: 1, Stamp: stamp,
			States: []string{}, Labels: []string{""},
		},
		buckets: make(map[uint64]*Bucket),
		labels:  make(map[string]bool),
		names:   make(interner),
	}
}

// add counts goroutines with one stack, leaf first, and returns their bucket, nil for none. Stacks that differ in labels
// only fall into one bucket.
func (c *countedDump) add(frames []Frame, count int64, leaked bool) *Bucket {
	n := int(max(0, min(count, maxCount-int64(c.dump.Goroutines))))
	if n == 0 {
		return nil
	}
	c.dump.Goroutines += n
	shown := shownFrames(frames)
	key := stackKey(frames, shown, nil)
	b := c.buckets[key]
	if b == nil {
		b = &Bucket{Frames: slices.Clone(frames), Shown: shown, Class: classOf(frames, ""), Key: key, Leaked: leaked}
		c.buckets[key] = b
		c.dump.Buckets = append(c.dump.Buckets, b)
		c.seen.frames(b.Frames)
	}
	b.Count += n
	return b
}

// label notes a label set, given as sorted "key: value" pairs.
func (c *countedDump) label(pairs []string) {
	text := cutText([]byte(strings.Join(pairs, ", ")), maxLogLine)
	switch {
	case text == "" || c.labels[text]:
	case len(c.dump.Labels) > maxLabelSets:
		c.dump.LabelsCut++
	default:
		c.labels[text] = true
		c.dump.Labels = append(c.dump.Labels, text)
	}
}

func (c *countedDump) finish() *Dump {
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
// counts, the runtime's own frames included, without ids, states and creators. leaked reports that it is a
// goroutineleak profile: nothing can wake its goroutines; taken is when it was taken, zero for unknown. Frames and
// labels may be used again.
func FromProfile(stacks iter.Seq[CountedStack], leaked bool, taken time.Time) *Dump {
	stamp := ""
	if !taken.IsZero() {
		stamp = taken.UTC().Format(time.RFC3339Nano)
	}
	c := newCountedDump(FormatProfile, 1, stamp)
	for s := range stacks {
		c.add(s.Frames[:min(len(s.Frames), maxCountedFrames)], s.Count, leaked)
		c.label(s.Labels)
	}
	return c.finish()
}
