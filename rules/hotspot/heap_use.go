package hotspot

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

// A heapUse is what a heap profile shows about how a hotspot's memory is used. A share of the heap alone does not: a
// cache with a bound, an index that is read at the start and a map that nobody empties all have nine tenths of it.
type heapUse struct {
	amount float64 // bytes in use
	// retained is the part of what was allocated on these stacks since the start that is still in use: 1 for what only
	// grows. A full cache replaces what it holds: 0.1 to 0.4 measured, after half a minute. 1 where nothing shows it.
	retained float64
	// firm is the part on stacks of which next to nothing was freed: what a map or slice held before it grew is not
	// there, what it refers to is.
	firm float64
	// largest is the mean size of the largest objects, in bytes: what one call asked for at once.
	largest float64
	// named is the part on stacks that name what is meant to hold memory: a cache, a pool, an index, a store, an image.
	named float64
	// atStart is the part that main or a package's init allocated, on the main goroutine.
	atStart float64
	// asked is the part that a request's handler allocated.
	asked float64
	// standard is the part below a decoder of the standard library, which takes no more than its text is worth.
	standard float64
	// split is the part below functions that cut a text into pieces.
	split float64
}

// holders is how functions, types and packages are named that are there to hold memory.
var holders = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(cache|lru|lfu|pool|arena|index|memtable|slab|store)`)
})

// showsOf is what a function shows of the memory that is allocated below it, as bits in the order of heapUse.parts.
func showsOf(in *profile.View, fn int32) (bits uint8) {
	name, class := in.Functions[fn].Name, in.Class[fn]
	for i, shown := range []bool{
		name == "runtime.main" || name == "main.main",
		strings.HasSuffix(name, ".ServeHTTP") || strings.HasPrefix(name, "google.golang.org/grpc.(*Server)."),
		// Decoded images are as large as they are.
		strings.HasPrefix(name, "image/") || strings.HasPrefix(name, "image.") ||
			(class == frame.ClassOwn || class == frame.ClassDependency) &&
				holders().MatchString(name[strings.LastIndexByte(name, '/')+1:]),
		strings.HasPrefix(name, "encoding/"),
		cuts(name),
	} {
		if shown {
			bits |= 1 << i
		}
	}
	return bits
}

func (u *heapUse) parts() []*float64 {
	return []*float64{&u.atStart, &u.asked, &u.named, &u.standard, &u.split}
}

// use works out how a heap's hotspot is used.
func (hot *Hotspot) use() heapUse {
	in, u := hot.View, heapUse{retained: 1}
	objects, allocated := in.TypeIndex("inuse_objects"), in.TypeIndex("alloc_space")
	var all float64
	shows := map[int32]uint8{}
	for _, h := range hot.Hits {
		st := &in.Stacks[h.Stack]
		v := float64(st.Values[in.Value])
		u.amount += v
		if allocated >= 0 {
			made := max(float64(st.Values[allocated]), v)
			all += made
			if v >= minRetained*made {
				u.firm += v
			}
		}
		if objects >= 0 && st.Values[objects] > 0 {
			u.largest = max(u.largest, v/float64(st.Values[objects]))
		}
		var bits uint8
		for _, fr := range st.Frames {
			fn := in.Frames[fr].Func
			shown, ok := shows[fn]
			if !ok {
				shown = showsOf(in, fn)
				shows[fn] = shown
			}
			bits |= shown
		}
		for i, part := range u.parts() {
			if bits&(1<<i) != 0 {
				*part += v
			}
		}
	}
	for _, part := range append(u.parts(), &u.firm) {
		*part /= max(u.amount, 1)
	}
	if all > 0 {
		u.retained = u.amount / all
	}
	return u
}

// cuts reports whether a function is named after cutting a text into pieces.
func cuts(function string) bool {
	name := strings.ToLower(symbol.ParseName(function).Func)
	return strings.HasPrefix(name, "split") || name == "gensplit" || name == "fields"
}

// kept reports whether a heap's hotspot is kept as its rule says.
func (hot *Hotspot) kept(in *rules.ProfileInput) bool {
	u := hot.use()
	if hot.by.keeps != nil {
		return hot.by.keeps(hot, u)
	}
	return u.retained >= inFlight
}

// Bounds of what is kept, measured on 16 heaps of 40 MB and more whose owner is known: what leaks retains 1.00, 5 of 5;
// full caches retain 0.1 to 0.4, 4 of 4. The others are chosen.
const (
	minRetained = 0.9
	mostly      = 0.5
	// inFlight is what is retained at most of memory that requests need while they run.
	inFlight = 0.1
	// minDoubled is what a map or slice retains that grows by doubling, from objects of largeArray bytes on: all those
	// that it had before were as large together as the last, which makes a half; a sample may have a little less.
	minDoubled = 0.45
	largeArray = 1 << 20
	// minFirm is what is retained at least of a table and what it refers to, where most of that is never freed: tables
	// that double have up to half of it (chosen between the full caches' 0.4 and a table of names of 200 bytes, 0.83).
	minFirm = 0.7
	// minDocument is what one document takes, in bytes, that is worth a remark, largeDocument what is worth a look.
	minDocument, largeDocument = 48 << 20, 64 << 20
	// oftenMade is what is retained at most of what was made twenty times (two programs have 0.001 and 0.02).
	oftenMade = 0.05
	// largeHeap is what a function holds, in MiB, that is worth a look where it dominates the heap.
	largeHeap = 96
	// dominates is the share of the heap that it then has at least; hugeHeap is worth a look at half of the heap.
	dominates = 0.7
	hugeHeap  = 384
	// largeObject is what one call for a request asks for at once, in bytes.
	largeObject = 4 << 20
	// nearlyAll is the share of a heap that one decoded document has, however small its parts are.
	nearlyAll = 0.9
)

// onlyGrows reports memory that is never given back and that nothing names as meant to be held.
func onlyGrows(hot *Hotspot, u heapUse) bool {
	enough := minRetained
	if u.largest >= largeArray {
		enough = minDoubled
	}
	grows := u.retained >= enough || u.retained >= minFirm && u.firm >= mostly
	return (hot.Lower >= dominates || u.amount >= hugeHeap<<20) && grows && u.named < mostly && u.atStart < mostly
}

// oneDocument reports what calls that parse a document hold: made anew again and again, or for a request, and too much
// to be many small ones. What a program decodes with the standard library for itself, such as a map that it reads anew
// each hour, is as large as it is meant to be.
func oneDocument(hot *Hotspot, u heapUse) bool {
	return u.named < mostly && (u.standard < mostly || u.asked >= mostly) &&
		(u.amount >= largeDocument || u.manyPieces()) &&
		(u.retained < minRetained || u.asked >= mostly) &&
		(u.largest >= largeObject || hot.Lower >= nearlyAll && u.amount >= largeHeap<<20)
}

// smallDocument reports what documents take that is too little to mention.
func smallDocument(hs *Hotspots, hot *Hotspot) bool {
	u := hot.use()
	return u.amount < minDocument && !u.manyPieces()
}

// notKept reports memory that may be meant to be held: who holds most of a heap is no finding by itself.
func notKept(hs *Hotspots, hot *Hotspot) bool {
	return hs.TypeIndex("alloc_space") < 0 || !onlyGrows(hot, hot.use())
}

// manyPieces reports a text that each request has cut into hundreds of thousands of pieces at once.
func (u heapUse) manyPieces() bool {
	return u.split >= mostly && u.asked >= mostly && u.largest >= largeObject && u.retained <= oftenMade
}

// usage is how a heap's hotspot is used, "" where the profile does not show it.
func (hot *Hotspot) usage(in *rules.ProfileInput) string {
	if in.Kind != profile.KindHeap || in.TypeIndex("alloc_space") < 0 {
		return ""
	}
	u := hot.use()
	switch {
	case u.named >= mostly:
		return "Its stacks name a cache, pool, index, store or image, which is meant to use memory"
	case u.manyPieces():
		return "One call made objects of " + phrase.BytesText(int64(u.largest)) + ", and more than twenty times as " +
			"much was allocated there and freed"
	case u.atStart >= mostly:
		return "main allocated it: data that is read once at startup is meant to stay"
	case u.retained >= minRetained:
		return "Almost none of the memory allocated there was ever freed"
	case u.largest >= largeObject:
		return "One call made objects of " + phrase.BytesText(int64(u.largest))
	}
	return phrase.Percent(max(u.retained, 0.001)) + " of the memory allocated there since the start is in use: " +
		"a cache that replaces its entries looks the same"
}
