package stackparse

import (
	"bytes"
	"strconv"
)

// Args returns the argument words of the bucket's first goroutine, aligned with Frames; an element is empty for
// inlined calls and where the text is no list of words. Each call reads them again: few buckets need them.
func (b *Bucket) Args() []Args {
	args := make([]Args, len(b.Frames))
	b.eachCall(func(i int, words, loc []byte) {
		args[i].Words, args[i].Cut = readWords(words)
		full, inside := bytes.Contains(loc, []byte(" fp=0x")), bytes.Contains(loc, []byte(" +0x"))
		args[i].AtEntry = full && !inside && string(words) != "..."
		args[i].Offset = offsetIn(loc)
	})
	return args
}

// WordLists returns what is printed between the parentheses of each call of the bucket's first goroutine, aligned with
// Frames: unlike Args it shows which words are one value, as {0xc0000140a8, 0x16} is a string.
func (b *Bucket) WordLists() []string {
	lists := make([]string, len(b.Frames))
	b.eachCall(func(i int, words, _ []byte) { lists[i] = string(words) })
	return lists
}

// eachCall reads Text: the word list of each frame that is a call, and the line of its location, nil for none.
func (b *Bucket) eachCall(visit func(i int, words, loc []byte)) {
	lines := []byte(b.Text)
	for i := range b.Frames {
		if b.Frames[i].Elided != 0 {
			if first, _, _ := bytes.Cut(lines, []byte{'\n'}); isElided(first) {
				nextLine(&lines) // the runtime's gap has a line; ours, of a stack past maxHead, has none
			}
			continue
		}
		_, words, _ := callParts(nextLine(&lines))
		var loc []byte
		if len(lines) > 0 && lines[0] == '\t' {
			loc = nextLine(&lines)
		}
		visit(i, words, loc)
	}
}

// offsetIn reads the offset behind a frame's line: "+0x1d".
func offsetIn(loc []byte) uint32 {
	_, hex, _ := bytes.Cut(loc, []byte(" +0x"))
	hex, _, _ = bytes.Cut(hex, []byte{' '})
	n, err := strconv.ParseUint(string(hex), 16, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// maxNested is how deep aggregates are printed within each other (runtime/traceback.go, traceArgsMaxDepth).
const maxNested = 5

// readWords reads what runtime.printArgs prints: "0x1, {0x2?, _}, ...". The fields of an aggregate are words like any
// other, and so is what was left out at its end; cut reports that "..." ends the list. Any other text, such as the
// parameters of a C++ function, has no words.
func readWords(list []byte) (words []Arg, cut bool) {
	depth := 0
	for first, more := true, true; more; first = false {
		var item []byte
		item, list, more = bytes.Cut(list, []byte(", "))
		word := bytes.TrimLeft(item, "{")
		opened := len(item) - len(word)
		item, word = word, bytes.TrimRight(word, "}")
		closed := len(item) - len(word)
		if depth += opened; depth > maxNested || depth < closed {
			return nil, false
		}
		depth -= closed
		switch string(word) {
		case "":
			if closed == 0 {
				return nil, false
			}
		case "...":
			if closed > 0 {
				words = append(words, Arg{})
			} else if cut = !first && !more; !cut {
				return nil, false
			}
		case "_":
			words = append(words, Arg{})
		default:
			hex, uncertain := bytes.CutSuffix(word, []byte{'?'})
			hex, ok := bytes.CutPrefix(hex, []byte("0x"))
			value, err := strconv.ParseUint(string(hex), 16, 64)
			if !ok || err != nil {
				return nil, false
			}
			words = append(words, Arg{Value: value, Uncertain: uncertain, Known: true})
		}
	}
	if depth > 0 {
		return nil, false
	}
	return words, cut
}
