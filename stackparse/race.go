package stackparse

import (
	"bytes"
	"strconv"
	"strings"
)

// A raceReport reads one report of the race detector, as LLVM's tsan prints it for Go:
//
//	==================
//	WARNING: DATA RACE
//	Write at 0x00c00009e1d8 by goroutine 9:
//	  main.f()
//	      /src/main.go:44 +0x33
//
//	Previous read at 0x00c00009e1d8 by main goroutine:
//	  [failed to restore the stack]
//
//	Goroutine 9 (running) created at:
//	  main.main()
//	      /src/main.go:45 +0x116
//	==================
//
// Indentation may be lost on the way.
type raceReport struct {
	dump     *Dump
	names    interner
	warned   bool   // "WARNING: DATA RACE" was read
	closed   bool   // the closing ruler was read
	pending  bool   // the last frame has no file yet
	broken   []byte // pieces of a function's name that go on in the next line
	blocks   int    // accesses and creations seen, kept or not
	unparsed pendingUnparsed
}

var raceWarning = []byte("WARNING: DATA RACE")

// Bounds: tsan prints two accesses and two creations, and stacks of at most 128 frames for Go by default
// (history_size), hostile text has more.
const (
	maxRaces        = 16
	maxRaceFrames   = 256
	maxRaceUnparsed = 8
)

// beginRace returns a section where text opens a race report, nil otherwise. After a ruler that turns out to open none,
// finish returns nil.
func beginRace(text []byte, num int64, stamp []byte) section {
	text = bytes.TrimSpace(text)
	warned := string(text) == string(raceWarning)
	if !warned && string(text) != string(raceRuler) {
		return nil
	}
	return &raceReport{
		warned: warned,
		names:  make(interner),
		dump: &Dump{
			Format: FormatRace, Line: num, EndLine: num, LastLine: num, Seen: 1, Stamp: string(stamp),
			Cause:   &Cause{Kind: CauseRace, Line: num, Text: "DATA RACE"},
			Buckets: []*Bucket{}, States: []string{}, Labels: []string{""},
		},
	}
}

func (r *raceReport) line(text []byte, num int64) bool {
	text = bytes.TrimSpace(text)
	switch {
	case r.closed:
		return false
	case len(text) == 0:
		r.pending = false
		return true
	case !r.warned:
		if string(text) != string(raceWarning) {
			return false
		}
		r.warned = true
	case string(text) == string(raceRuler):
		r.closed = true
	case r.access(text), r.created(text), r.frame(text):
	case string(text) == "[failed to restore the stack]":
	case string(text) == string(raceWarning), startsOther(text), r.unparsed.lines >= maxRaceUnparsed:
		return false
	default:
		r.unparsed.add(num, text)
		return true
	}
	r.unparsed.commit(r.dump)
	r.dump.EndLine = num
	return true
}

// access begins an access: "Previous write at 0x00c00009e1d8 by goroutine 8:", or without the address (Go 1.5 and
// before).
func (r *raceReport) access(text []byte) bool {
	if text[len(text)-1] != ':' {
		return false
	}
	op, by, ok := bytes.Cut(text[:len(text)-1], []byte(" by "))
	if !ok || len(op) > 96 {
		return false
	}
	var race Race
	op, addr, ok := bytes.Cut(op, []byte(" at 0x"))
	if ok {
		var err error
		if race.Addr, err = strconv.ParseUint(string(addr), 16, 64); err != nil {
			return false
		}
	} else if !bytes.HasSuffix(op, []byte("rite")) && !bytes.HasSuffix(op, []byte("ead")) {
		return false
	}
	race.Op = string(op)
	if id, ok := bytes.CutPrefix(by, []byte("goroutine ")); ok {
		race.Goroutine, _, _ = leadingUint(id)
	}
	if r.blocks == 0 {
		r.dump.Cause.Goroutine = race.Goroutine
	}
	r.add(race)
	return true
}

// created begins a creation: "Goroutine 9 (running) created at:".
func (r *raceReport) created(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("Goroutine "))
	if !ok {
		return false
	}
	id, rest, ok := leadingUint(rest)
	if !ok || !bytes.HasSuffix(rest, []byte(" created at:")) {
		return false
	}
	r.add(Race{Op: cutText(text[:len(text)-1], 64), Goroutine: id})
	return true
}

func (r *raceReport) add(race Race) {
	r.pending, r.broken = false, r.broken[:0]
	if r.blocks++; len(r.dump.Races) < maxRaces {
		r.dump.Races = append(r.dump.Races, race)
	}
}

// frame takes a function line or the file line behind it.
func (r *raceReport) frame(text []byte) bool {
	if r.blocks == 0 {
		return false
	}
	frames := &r.dump.Races[len(r.dump.Races)-1].Frames
	if r.pending {
		if loc, ok := fileLine(text); ok {
			file, line := cutLocation(loc.text)
			f := &(*frames)[len(*frames)-1]
			f.File, f.Line = r.names.string(file), line
			r.pending = false
			return true
		}
	}
	fn, ok := bytes.CutSuffix(r.whole(text), []byte("()"))
	if !ok || len(fn) == 0 || !balanced(fn) {
		return false
	}
	if bytes.IndexByte(fn, ' ') >= 0 && bytes.IndexByte(fn, '.') > bytes.IndexByte(fn, ' ') {
		return false // a sentence that ends in a call
	}
	if r.blocks > maxRaces || len(*frames) >= maxRaceFrames {
		return true
	}
	var f Frame
	f.Func = r.names.string(fn)
	*frames = append(*frames, f)
	r.pending = true
	return true
}

// whole joins the pieces of a function's name that a terminal broke: its type arguments are open until the last one.
func (r *raceReport) whole(text []byte) []byte {
	if len(r.broken) > 0 {
		r.broken = append(r.broken, text...)
		text = r.broken
	}
	open := bytes.IndexByte(text, '[')
	if len(r.broken) > 0 && open > 0 && balanced(text) { // the runtime prints "[...]" of all
		text = append(append(text[:open:open], "[...]"...), text[bytes.LastIndexByte(text, ']')+1:]...)
	}
	if open <= 0 || len(text) > maxFrameLine || bytes.IndexByte(text[:open], '.') < 0 || balanced(text) {
		r.broken = r.broken[:0]
	} else if len(r.broken) == 0 {
		r.broken = append(r.broken, text...)
	}
	return text
}

// balanced reports whether all type arguments of a function's name are closed.
func balanced(fn []byte) bool {
	return bytes.Count(fn, []byte("[")) == bytes.Count(fn, []byte("]"))
}

func (r *raceReport) finish() *Dump {
	if r.blocks == 0 {
		return nil
	}
	r.dump.Truncated.Tail = !r.closed
	ops := make([]string, 0, 2)
	for _, race := range r.dump.Races {
		if !strings.Contains(race.Op, "created") && len(ops) < 2 {
			ops = append(ops, strings.ToLower(race.Op))
		}
	}
	if len(ops) == 2 {
		r.dump.Cause.Text = "DATA RACE: " + ops[0] + ", " + ops[1]
	}
	return r.dump
}
