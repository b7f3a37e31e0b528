package stackparse

import (
	"bytes"
	"io"
	"strconv"

	"github.com/maruel/panicparse/v2/stack"
)

// neutral forms around the words: panicparse.ScanSnapshot wants a header, and a file line behind each call. Functions
// and files are the scanner's business, so panicparse is given a neutral name for each, and no name that it does not
// know (a C++ function, a generated file) loses the words of the others.
const (
	neutralHeader = "goroutine 1 [running]:\n"
	neutralCall   = "main.f("
	neutralFile   = ")\n\t/f.go:1 +0x1\n"
)

// Args returns the argument words of the bucket's first goroutine, aligned with Frames; an element is empty for
// inlined calls and where the text is no list of words. They are read by panicparse at each call: most buckets are
// never asked.
func (b *Bucket) Args() []Args {
	args := make([]Args, len(b.Frames))
	var text bytes.Buffer
	var at []int // indices of the frames that have words
	text.WriteString(neutralHeader)
	lines := []byte(b.Text)
	for i := range args {
		if b.Frames[i].Elided != 0 {
			if first, _, _ := bytes.Cut(lines, []byte{'\n'}); isElided(first) {
				nextLine(&lines) // the runtime's gap has a line; ours, of a stack past maxHead, has none
			}
			continue
		}
		_, words, _ := callParts(nextLine(&lines))
		isInlined := string(words) == "..."
		if len(lines) > 0 && lines[0] == '\t' {
			loc := nextLine(&lines)
			args[i].AtEntry = !isInlined && !bytes.Contains(loc, []byte(" +0x")) && bytes.Contains(loc, []byte(" fp=0x"))
		}
		if !isInlined && isWords(words) {
			at = append(at, i)
			text.WriteString(neutralCall)
			text.Write(words)
			text.WriteString(neutralFile)
		}
	}
	if len(at) == 0 {
		return args
	}
	// Neither option is set: a log must never make us open local files that it names.
	s, _, err := stack.ScanSnapshot(&text, io.Discard, &stack.Opts{})
	if s == nil || err != nil && err != io.EOF || len(s.Goroutines) != 1 || len(s.Goroutines[0].Stack.Calls) != len(at) {
		return args
	}
	for n, i := range at {
		call := &s.Goroutines[0].Stack.Calls[n]
		args[i].Words, args[i].Cut = flatten(nil, call.Args), call.Args.Elided
	}
	return args
}

// isWords reports whether s is a list of words as the runtime prints it, so that no other text (the parameters of a C++
// function) costs the other frames their words: panicparse ends at the first line that it does not know.
func isWords(s []byte) bool {
	depth := 0
	for token := range bytes.SplitSeq(s, []byte(", ")) {
		for len(token) > 0 && token[0] == '{' {
			token = token[1:]
			depth++
		}
		end := len(token)
		for end > 0 && token[end-1] == '}' {
			end--
		}
		closing := len(token) - end
		switch token = token[:end]; {
		case string(token) == "..." || string(token) == "_":
		case len(token) == 0 && closing > 0: // {}
		default:
			digits, isHex := bytes.CutPrefix(bytes.TrimSuffix(token, []byte("?")), []byte("0x"))
			if _, err := strconv.ParseUint(string(digits), 16, 64); !isHex || err != nil {
				return false
			}
		}
		if depth > maxNesting || depth < closing {
			return false
		}
		depth -= closing
	}
	return depth == 0 && len(s) > 0
}

// maxNesting bounds aggregates in aggregates. The runtime prints 5 levels (abi.TraceArgsMaxDepth).
const maxNesting = 16

// flatten appends the words of a in order, aggregates' fields in place.
func flatten(words []Arg, a stack.Args) []Arg {
	for i := range a.Values {
		v := &a.Values[i]
		if v.IsAggregate {
			words = flatten(words, v.Fields)
			if v.Fields.Elided {
				words = append(words, Arg{})
			}
			continue
		}
		words = append(words, Arg{Value: v.Value, Uncertain: v.IsInaccurate, Known: !v.IsOffsetTooLarge})
	}
	return words
}
