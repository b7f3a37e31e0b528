package symbol

import (
	"bytes"
	"strconv"
	"strings"
)

// SplitSymbol splits "func+0xoff<tabs>file:line", as runtime/pprof prints a frame at debug=1. Names of C++ functions
// and paths may hold blanks; where the tabs became blanks the offset ends the name.
func SplitSymbol(text []byte) (fn, loc []byte) {
	fn = text
	if i := bytes.IndexByte(text, '\t'); i > 0 {
		fn, loc = bytes.TrimRight(text[:i], " "), text[bytes.LastIndexByte(text, '\t')+1:]
	}
	plus := bytes.LastIndex(fn, []byte("+0x"))
	if plus <= 0 {
		return fn, loc
	}
	if i := bytes.IndexByte(fn[plus:], ' '); i > 0 && loc == nil {
		loc = bytes.TrimLeft(fn[plus+i:], " ")
	}
	return fn[:plus], loc
}

// LabelPairs splits `"k":"v", "k2":"v2"`, as runtime/pprof prints labels at debug=1, into "k: v" pairs. Where the text
// ends in a key, the last pair is that key alone.
func LabelPairs(s string) []string {
	var pairs []string
	for {
		key, rest, ok := cutQuoted(s)
		if !ok {
			return pairs
		}
		value, rest, ok := cutQuoted(strings.TrimLeft(rest, ": "))
		if !ok {
			return append(pairs, key)
		}
		pairs = append(pairs, key+": "+value)
		s = strings.TrimLeft(rest, ", ")
	}
}

func cutQuoted(s string) (value, rest string, ok bool) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s, false
	}
	value, err = strconv.Unquote(q)
	return value, s[len(q):], err == nil
}

// WaitsForOthers reports whether a function is the machinery of the runtime and sync that goroutines wait in for
// others. What sync.OnceFunc and its kin return calls the program's code, and is none of it.
func WaitsForOthers(fn string) bool {
	if strings.HasPrefix(fn, "sync.Once") {
		return false
	}
	for _, prefix := range [...]string{
		"runtime.", "internal/runtime/", "runtime/internal/", "sync.", "internal/sync.", "internal/poll.runtime_",
	} {
		if strings.HasPrefix(fn, prefix) {
			return true
		}
	}
	return false
}
