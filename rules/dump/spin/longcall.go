package spin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

type goroutine = stackparse.Goroutine

// A longCall is a goroutine that computes inside one and the same call in two dumps of its process: the outer frames of
// its stacks are equal, with the words of their calls.
type longCall struct {
	a, o  *active // in the earlier and in the later dump
	g, og goroutine
	// entry and top index a's frames: the outermost call that the goroutine does not merely run in a loop, and the
	// innermost one that both stacks have.
	entry, top int
	common     []int // a's frames that both stacks have, outermost first, top included
	loop       int   // of a's frames the innermost own one that both stacks have, be it the goroutine's own loop
	why        string
	input      string   // how little the call has to work on, for whySmall
	requests   []uint64 // the goroutines that were inside the call's function before, for whyMore
}

// Why a long call is accused: sections of findings.md.
const (
	whySmall = "little to work on"
	whyEmpty = "writes nothing"
	// whyNothing is a copy without bytes (emptycopy.go).
	whyNothing = "reads nothing"
	whyMore    = "more and more requests"
	whyGone    = "client gone"
	whyOpens   = "a reader that is made"
	whyLong    = "a long call" // which may be honest work: nothing but a remark
	whyLoop    = "a loop"      // which may be honest work as well
)

// maxSmall is the most bytes or elements that a call has to work on where it should be done in no time (chosen: the
// published inputs that hang parsers have 26 to 54 bytes; work that is cubic in 512 elements takes 0.2 seconds).
const maxSmall = 512

// maxLongCalls bounds the goroutines that are looked at in a dump: those that compute are few.
const maxLongCalls = 256

// longCalls are the goroutines of a dump that are inside the same call in the next dump of the process that has them at
// work.
func longCalls(later *works, d *rules.DumpInput, all []active) []longCall {
	var found []longCall
	for i := range all[:min(len(all), maxLongCalls)] {
		a := &all[i]
		if !a.busy() || a.act == actNoStack || a.leaf < 0 {
			continue
		}
		g := a.goroutines[0]
		if g.ID != a.bucket.Goroutines[0].ID {
			continue // the words are those of the bucket's first goroutine
		}
		next := later.after(d, g.ID)
		if next == nil {
			continue
		}
		c := emptyCopy(a, next.a) // of what has a role too: a child's input is copied
		if c == nil && a.d.RoleOf(a.index) == nil {
			c = compare(a, next.a)
		}
		if c != nil && c.judge(all, next.all) {
			found = append(found, *c)
		}
	}
	return found
}

// compare finds the calls that both stacks have, from the outermost on: the same functions at the same lines with the
// same words, and one more at another line. Where that is no call, but the goroutine's own loop, top and entry are -1.
// It returns nil where both have no function of the program.
func compare(a, o *active) *longCall {
	c := &longCall{a: a, o: o, g: a.goroutines[0], og: o.goroutines[0], entry: -1, top: -1, loop: -1}
	as, os := a.bucket.Shown, o.bucket.Shown
	aw, ow := a.bucket.Args(), o.bucket.Args()
	own := 0
	for k := 1; k <= min(len(as), len(os)); k++ {
		i, j := as[len(as)-k], os[len(os)-k]
		f, g := &a.bucket.Frames[i], &o.bucket.Frames[j]
		if f.Elided != 0 || g.Elided != 0 || f.Func != g.Func || differ(aw[i].Words, ow[j].Words) {
			break
		}
		c.common = append(c.common, i)
		if !isLibrary(a.d, f.Frame) && !a.d.Program.Framework(f.Frame) {
			// The goroutine's own function may loop over jobs: what it calls is a call.
			c.loop = i
			if own++; own > 1 || a.servesRequest() {
				c.top = i
				if c.entry < 0 {
					c.entry = i
				}
			}
		}
		if f.Line != g.Line {
			break
		}
	}
	if c.loop < 0 {
		return nil
	}
	return c
}

// looping is the frame that loops: the innermost one that both stacks have, or its caller where both were caught in the
// first bytes of that one, at one line. It is called again and again, and has no loop itself.
func (c *longCall) looping() int {
	k := len(c.common) - 1
	if c.top != c.a.leaf || c.why == whyNothing || k < 1 || c.common[k] != c.top || c.common[k-1] > c.entry {
		return c.top
	}
	j := c.o.bucket.Shown[len(c.o.bucket.Shown)-1-k]
	if j != c.o.leaf || c.a.bucket.Frames[c.top].Line != c.o.bucket.Frames[j].Line {
		return c.top
	}
	early := func(w stackparse.Args) bool { return w.AtEntry || w.Offset != 0 && w.Offset < maxTinyCode }
	if !early(c.a.bucket.Args()[c.top]) || !early(c.o.bucket.Args()[j]) {
		return c.top
	}
	return c.common[k-1]
}

// differ reports whether two calls of one function have other words: one that is stale in either shows nothing.
func differ(a, b []stackparse.Arg) bool {
	for i := range min(len(a), len(b)) {
		if certain(a[i]) && certain(b[i]) && a[i].Value != b[i].Value {
			return true
		}
	}
	return false
}

func certain(w stackparse.Arg) bool { return w.Known && !w.Uncertain }

// judge finds out why the call should have ended. Main's own calls are what a batch is for, those of a library below
// them are worth a remark, and those of a part of a task are awaited.
func (c *longCall) judge(all, later []active) bool {
	alone := computing(all) <= 1+maxCrowd && computing(later) <= 1+maxCrowd
	switch {
	case c.why == whyNothing:
		return alone
	case c.a.joined() || c.o.joined():
		return false
	case c.top < 0:
		c.top, c.entry, c.why = c.loop, c.loop, whyLoop
		return alone && c.a.bucket.CreatedBy != nil && !c.works() && !c.mayWait()
	case c.a.bucket.CreatedBy == nil && !c.inDependency(c.top):
		return false
	case c.a.bucket.CreatedBy == nil && !c.small():
		c.why = whyLong
		return alone && !c.works() && !c.streams()
	case c.small():
		c.why = whySmall
	case c.writesNothing():
		c.why = whyEmpty
	case alone && c.opens():
		c.why = whyOpens
	case c.clientGone():
		c.why = whyGone
		if c.moreCome(all, later) {
			c.why = whyMore
		}
	default:
		c.why = whyLong
		return alone && !c.works() && !c.streams()
	}
	return true
}

// mayWait reports whether one of the stacks ends in the program's own code and shows nothing of the runtime: it may
// wait there, and have just been woken.
func (c *longCall) mayWait() bool {
	return !c.a.onCPU() && !c.a.leafIsLibrary() || !c.o.onCPU() && !c.o.leafIsLibrary()
}

// works reports whether others show that the goroutine may have got on: it talks to one, is one of several workers, or
// a library calls it back for each item.
func (c *longCall) works() bool { return c.a.talks() || c.a.peerWaits() || c.a.calledBack() }

// small reports whether all that the calls are seen to work on is small, and nothing larger is anywhere: a string or
// slice that a function got which by its name goes through it once, or a piece of the input that such a function hands
// down and that is the same one in both dumps. What is called another way may search, solve or derive keys, and take
// its time; a string may be the name of something large, so that in a batch's main it says nothing.
func (c *longCall) small() bool {
	lists, later := c.a.bucket.WordLists(), c.o.bucket.WordLists()
	shown := c.o.bucket.Shown
	c.input = ""
	below := false // a function that goes through its input
	// A dependency that gets a string goes through it; the program's own may take it for the name of something large.
	texts := c.a.bucket.CreatedBy != nil && c.inDependency(c.common[len(c.common)-1])
	for k, i := range c.common[:len(c.common)-1] {
		f := &c.a.bucket.Frames[i]
		if i > c.entry || isLibrary(c.a.d, f.Frame) {
			continue
		}
		once := goesThrough(f.Func)
		below = below || once
		again := values(later[shown[len(shown)-1-k]])
		for _, v := range values(lists[i]) {
			if c.input == "" && v.sure && v.len > 0 && (v.slice() || texts) &&
				(once || below && v.inside() && slices.Contains(again, v)) {
				c.input = phraseOf(v, rules.PlaceText(rules.PlaceOf(f.Frame)))
			}
		}
	}
	return c.input != "" && !hasLarge(lists) && !hasLarge(later)
}

// inDependency reports whether one of a's frames is a dependency's.
func (c *longCall) inDependency(i int) bool {
	switch c.a.d.Program.Class(c.a.bucket.Frames[i].Frame) {
	case frame.ClassDependency, frame.ClassVendored:
		return true
	}
	return false
}

// onceThrough are words that the names of functions begin with which go through what they get.
var onceThrough = []string{
	"parse", "decode", "unmarshal", "render", "convert", "compile", "tokenize", "tokenise", "lex", "scan", "expand",
	"escape", "unescape", "sanitize", "sanitise", "normalize", "normalise", "validate", "format", "highlight", "indent",
	"quote", "unquote", "split", "tohtml", "totext", "clean", "minify",
}

func goesThrough(fn string) bool {
	name := strings.ToLower(symbol.ParseName(symbol.StripVendor(fn)).Func)
	return !slices.ContainsFunc(otherwise, func(word string) bool { return strings.Contains(name, word) }) &&
		slices.ContainsFunc(onceThrough, func(verb string) bool { return strings.HasPrefix(name, verb) })
}

// otherwise are words in names of functions that get the name of something, or nothing to go through.
var otherwise = []string{"file", "dir", "cleanup", "cleaner"}

// writesNothing reports whether both dumps show the innermost common call write or send an empty slice: data are cut
// into pieces of no length.
func (c *longCall) writesNothing() bool {
	at := len(c.common) - 1
	name := strings.ToLower(symbol.ParseName(c.a.bucket.Frames[c.common[at]].Func).Func)
	if !strings.HasPrefix(name, "write") && !strings.HasPrefix(name, "send") {
		return false
	}
	shown := c.o.bucket.Shown
	one := values(c.a.bucket.WordLists()[c.common[at]])
	two := values(c.o.bucket.WordLists()[shown[len(shown)-1-at]])
	if len(one) != 1 || len(two) != 1 {
		return false
	}
	return one[0].slice() && two[0].slice() && one[0].len == 0 && two[0].len == 0 && (one[0].sureLen || two[0].sureLen)
}

// openers are how functions are called that make what reads a stream, and look at its beginning for that.
var openers = []string{"Reader", "Decoder", "Scanner", "Lexer", "Parser", "Tokenizer", "Demuxer"}

// opens reports whether the call is a library's that makes a reader, nothing is read meanwhile, and nothing comes of
// it: a header is small. A directory at the end of a large archive takes its time, but its entries are allocated; one
// that is verified as a whole first was handed over as something large.
func (c *longCall) opens() bool {
	if c.works() || c.streams() || c.a.runtimeWorks() || c.o.runtimeWorks() ||
		hasLarge(c.a.bucket.WordLists()) || hasLarge(c.o.bucket.WordLists()) {
		return false
	}
	return slices.ContainsFunc(c.common[:len(c.common)-1], func(i int) bool {
		name := symbol.ParseName(symbol.StripVendor(c.a.bucket.Frames[i].Func)).Func
		return strings.HasPrefix(name, "New") && c.inDependency(i) &&
			slices.ContainsFunc(openers, func(what string) bool { return strings.HasSuffix(name, what) })
	})
}

func phraseOf(v value, in string) string {
	if v.slice() {
		return fmt.Sprintf("a slice of length %d, passed to %s", v.len, in)
	}
	return fmt.Sprintf("a string of %d bytes, passed to %s", v.len, in)
}

func hasLarge(lists []string) bool {
	for _, l := range lists {
		for _, v := range values(l) {
			if v.sureLen && v.len > maxSmall || v.sureCap && v.cap > maxSmall {
				return true
			}
		}
	}
	return false
}

// A value is what a pair or triple of words in braces shows: a string, or a slice.
type value struct {
	at               uint64
	len, cap         int // cap is -1 for a string
	sureLen, sureCap bool
	sure             bool // no word is stale
}

func (v value) slice() bool { return v.cap >= 0 }

// inside reports whether the value begins in the middle of something: buffers, which are used again and again, begin
// where they were allocated, or where a struct has them.
func (v value) inside() bool { return v.at%8 != 0 }

// minPointer is the least word that can be an address: the first page is never mapped, and programs begin past 64 KiB.
const minPointer = 0x10000

// maxLength is the most that is taken for a length: what is larger may be an address.
const maxLength = 1 << 32

// values reads the strings and slices of a list: {0xc0000140a8, 0x16}, {0xc0000140a8, 0x16, 0x20}.
func values(list string) []value {
	var all []value
	for {
		_, rest, ok := strings.Cut(list, "{")
		inner, _, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			return all
		}
		list = rest
		if v, ok := valueOf(strings.Split(inner, ", ")); ok {
			all = append(all, v)
		}
	}
}

func valueOf(words []string) (value, bool) {
	if len(words) != 2 && len(words) != 3 {
		return value{}, false
	}
	var n [3]uint64
	var sure [3]bool
	for i, w := range words {
		digits, stale := strings.CutSuffix(w, "?")
		v, err := strconv.ParseUint(strings.TrimPrefix(digits, "0x"), 16, 64)
		if err != nil {
			return value{}, false // an aggregate within, or "..."
		}
		n[i], sure[i] = v, !stale
	}
	v := value{at: n[0], len: int(n[1]), cap: -1, sureLen: sure[1], sure: sure[0] && sure[1]}
	if len(words) == 3 {
		v.cap, v.sureCap, v.sure = int(n[2]), sure[2], v.sure && sure[2]
	}
	ok := n[0] >= minPointer && n[1] < maxLength && n[2] < maxLength && (v.cap < 0 || v.len <= v.cap || !v.sure)
	return v, ok
}

// clientGone reports whether the call serves an HTTP request whose connection nobody watches any more: net/http reads
// from it in a goroutine of its own while a handler runs, and that goroutine ends with the connection. It begins when
// the request's body was read: one that is read bit by bit shows in the stack.
func (c *longCall) clientGone() bool {
	if c.g.Parent == 0 || !c.a.servesHTTP() || c.streams() {
		return false
	}
	return !watched(c.a.d, c.g.ID) && !watched(c.o.d, c.g.ID)
}

// minPile is how many requests compute in one function in the later dump where more come than end (chosen).
const minPile = 3

// moreCome reports whether all requests that were inside the call's function in the earlier dump still are, though
// their clients have gone, and more have come: none of them ends. A connection serves no other request once nobody
// watches it, so they are the same ones.
func (c *longCall) moreCome(all, later []active) bool {
	function := c.a.bucket.Frames[c.entry].Func
	before, now := requestsIn(all, function), requestsIn(later, function)
	if len(now) < minPile || len(now) <= len(before) {
		return false
	}
	for _, id := range before {
		if !slices.Contains(now, id) || watched(c.o.d, id) {
			return false
		}
	}
	c.requests = before
	return true
}

// requestsIn are the goroutines that serve an HTTP request and compute inside a function.
func requestsIn(all []active, function string) (ids []uint64) {
	for i := range all {
		a := &all[i]
		if !a.busy() || !a.servesHTTP() || !slices.ContainsFunc(a.bucket.Shown, func(k int) bool {
			return a.bucket.Frames[k].Func == function
		}) {
			continue
		}
		for _, g := range a.goroutines[:min(len(a.goroutines), maxLongCalls)] {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// watched reports whether a goroutine watches the connection of the one that serves it. A parent is printed since Go
// 1.21.
func watched(d *rules.DumpInput, id uint64) bool {
	for _, b := range d.Buckets {
		if b.CreatedBy == nil || b.CreatedBy.Func != "net/http.(*connReader).startBackgroundRead" {
			continue
		}
		for i := range b.Goroutines {
			if b.Goroutines[i].Parent == id {
				return true
			}
		}
	}
	return false
}

// streams reports whether either stack reads, writes or copies: data move through a call that is one for all of them.
func (c *longCall) streams() bool { return c.a.streams() || c.o.streams() }

func (a *active) streams() bool {
	for _, i := range a.bucket.Shown {
		f := &a.bucket.Frames[i]
		if f.Elided != 0 || a.d.Program.Class(f.Frame) != frame.ClassStdlib {
			continue
		}
		fn := symbol.ParseName(f.Func).Func
		for _, verb := range []string{"Read", "Write", "Copy", "copy", "Scan", "Decode", "Encode"} {
			if strings.HasPrefix(fn, verb) {
				return true
			}
		}
	}
	return false
}

func (a *active) servesHTTP() bool {
	return slices.ContainsFunc(a.bucket.Shown, func(i int) bool {
		return a.bucket.Frames[i].Func == "net/http.(*conn).serve"
	})
}

// asked is the program's own call that the long one began with.
func (c *longCall) asked() rules.Place { return rules.PlaceOf(c.a.bucket.Frames[c.entry].Frame) }
