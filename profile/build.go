package profile

import (
	"errors"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/stackparse/frame"
)

// A builder interns functions, frames, labels and stacks into a Profile.
type builder struct {
	profile *Profile
	funcs   map[Function]int32
	frames  map[uint64]int32 // by frameKey
	sets    map[string]int32
	stacks  stackTable
	weight  int // of functions and frames, as countFields estimates tables
}

// newBuilder returns a builder with room for that many functions and frames.
func newBuilder(funcs, frames int) *builder {
	return &builder{
		profile: &Profile{
			Labels: []LabelSet{{}}, Merged: 1,
			Functions: make([]Function, 0, funcs), Frames: make([]Frame, 0, frames),
		},
		funcs:  make(map[Function]int32, funcs),
		frames: make(map[uint64]int32, frames),
		sets:   map[string]int32{"": 0},
		stacks: stackTable{seed: maphash.Bytes(maphash.MakeSeed(), nil), newest: map[uint64]int32{}},
	}
}

func (b *builder) function(fn Function) int32 {
	fn.Name = frame.SourceName(fn.Name, fn.File)
	i, ok := b.funcs[fn]
	if !ok {
		i = int32(len(b.profile.Functions))
		b.profile.Functions = append(b.profile.Functions, fn)
		b.funcs[fn] = i
		b.weight += functionCost + len(fn.Name) + len(fn.File)
	}
	return i
}

func (b *builder) frame(f Frame) int32 {
	key := frameKey(f)
	i, ok := b.frames[key]
	if !ok {
		i = int32(len(b.profile.Frames))
		b.profile.Frames = append(b.profile.Frames, f)
		b.frames[key] = i
		b.weight += locationCost
	}
	return i
}

// frameKey packs a frame into one word. Its numbers are not negative.
func frameKey(f Frame) uint64 {
	key := uint64(uint32(f.Func))<<32 | uint64(uint32(f.Line))
	if f.Inlined {
		key |= 1 << 63
	}
	return key
}

// labels interns a label set, which it sorts. Past maxLabelSets it is the empty one.
func (b *builder) labels(set []string) int32 {
	slices.Sort(set)
	key := strings.Join(set, "\x00")
	i, ok := b.sets[key]
	if !ok && len(b.profile.Labels) < maxLabelSets {
		i = int32(len(b.profile.Labels))
		b.profile.Labels = append(b.profile.Labels, slices.Clone(set))
		b.sets[key] = i
	}
	return i
}

// build returns the profile with what depends on the whole of it.
func (b *builder) build(sites [][]int32) (*Profile, error) {
	p, err := b.buildStacks(sites)
	if err == nil {
		p.derive()
	}
	return p, err
}

// buildStacks writes the stacks into the profile. Their keys are indices of frames, or of lists of frames where sites
// is given. The caller works out what depends on the whole.
func (b *builder) buildStacks(sites [][]int32) (*Profile, error) {
	t, p, total := &b.stacks, b.profile, 0
	if sites == nil { // each frame is one
		ids := make([]int32, len(p.Frames))
		for i := range ids {
			ids[i] = int32(i)
			sites = append(sites, ids[i:i+1])
		}
	}
	for _, k := range t.keys {
		if total += len(sites[k]); total > maxFrames {
			return nil, errors.New("its stacks have too many frames")
		}
	}
	arena := make([]int32, 0, total)
	values := len(p.Types)
	p.Stacks = make([]Stack, len(t.entries))
	for i, e := range t.entries {
		from := len(arena)
		for _, k := range t.keys[e.off : e.off+e.n] {
			arena = append(arena, sites[k]...)
		}
		p.Stacks[i] = Stack{
			Frames:  arena[from:len(arena):len(arena)],
			Values:  t.values[i*values : (i+1)*values : (i+1)*values],
			Label:   e.label,
			Samples: e.samples,
		}
	}
	return p, nil
}

// A stackTable adds up the values of equal stacks: sequences of keys with a label. Its entries are in the order of
// adding.
type stackTable struct {
	seed    uint64 // random, so that no input can choose stacks of one hash
	keys    []int32
	entries []stackEntry
	values  []int64
	newest  map[uint64]int32 // by hash: the entry that was added last, + 1
}

type stackEntry struct {
	off, n  int
	next    int32 // entry of the same hash, + 1
	label   int32
	samples int64
}

// reserve makes room for n stacks of size keys altogether, as far as an input can be believed.
func (t *stackTable) reserve(n, size, values int) {
	n = min(n, 1<<16)
	t.keys = make([]int32, 0, min(size, 1<<20))
	t.entries = make([]stackEntry, 0, n)
	t.values = make([]int64, 0, min(n*values, 1<<20))
	t.newest = make(map[uint64]int32, n)
}

func (t *stackTable) hash(keys []int32, label int32) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	h := t.seed ^ uint64(label)<<32 ^ uint64(len(keys))
	for _, k := range keys {
		h = (h ^ uint64(uint32(k))) * odd
		h ^= h >> 29
	}
	return h
}

// add counts a stack.
func (t *stackTable) add(keys []int32, label int32, values []int64, samples int64) error {
	h := t.hash(keys, label)
	newest := t.newest[h]
	for i := newest; i > 0; i = t.entries[i-1].next {
		e := &t.entries[i-1]
		if e.label != label || !slices.Equal(t.keys[e.off:e.off+e.n], keys) {
			continue
		}
		e.samples = addSaturated(e.samples, samples)
		sum := t.values[int(i-1)*len(values):]
		for j, v := range values {
			sum[j] = addSaturated(sum[j], v)
		}
		return nil
	}
	if len(t.entries) >= maxStacks || len(t.keys) > maxFrames || len(t.values) > maxFrames {
		return errors.New("it has too many distinct stacks")
	}
	t.entries = append(t.entries, stackEntry{off: len(t.keys), n: len(keys), next: newest, label: label,
		samples: samples})
	t.keys = append(t.keys, keys...)
	t.values = append(t.values, values...)
	t.newest[h] = int32(len(t.entries))
	return nil
}

// appendKey appends frames as bytes, to find them in a map.
func appendKey(dst []byte, frames []int32) []byte {
	for _, f := range frames {
		dst = append(dst, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
	}
	return dst
}

// Bytes that a function and a location take at most, with their places in slices and maps that grow by doubling.
const (
	functionCost = 400
	locationCost = 400
)

// Bounds on what is read. The largest of 400 real profiles has 3.2 MB, 74,000 samples and 13,000 locations.
const (
	// maxProfile is how many bytes a profile may have after decompression.
	maxProfile = 64 << 20
	// maxLayers is how many times a profile may have been gzipped.
	maxLayers = 3
	// maxStacks bounds distinct stacks.
	maxStacks = 1 << 20
	// maxFrames bounds the frames of all distinct stacks together, and their values: inlined calls make more of them
	// than an input has bytes.
	maxFrames = 1 << 24
	// maxTables bounds what all but the stacks may take, in bytes: a profile of a few MB may hold millions of messages
	// of a few bytes. Of 400 real profiles the largest takes 14 MB.
	maxTables = 192 << 20
	// maxNumbers bounds the locations and the values of one sample.
	maxNumbers = 1 << 20
	// maxLabelBytes bounds what label sets take, in bytes; labels past it are left out.
	maxLabelBytes = 32 << 20
	// maxLabelSets bounds distinct label sets; samples past it are counted without labels. Labels that hold a request's
	// id make one set a sample.
	maxLabelSets = 1 << 16
)

// maxDuration is above any profile's: converters write the time of day where the duration belongs.
const maxDuration = 366 * 24 * time.Hour

// clampLine keeps a line number within what a source can have.
func clampLine(n int64) int32 { return int32(max(0, min(n, 1<<31-1))) }
