package stackparse

import (
	"bytes"
	"strconv"
)

// Args returns the argument words of the bucket's first goroutine, aligned with Frames; an element is empty for
// inlined calls and where the text is no list of words. They are read at each call: most buckets are never asked.
func (b *Bucket) Args() []Args {
	args := make([]Args, len(b.Frames))
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
		if !isInlined {
			args[i].Words, args[i].Cut = readWords(words)
		}
		if len(lines) > 0 && lines[0] == '\t' {
			loc := nextLine(&lines)
			args[i].AtEntry = !isInlined && !bytes.Contains(loc, []byte(" +0x")) && bytes.Contains(loc, []byte(" fp=0x"))
		}
	}
	return args
}

// readWords reads a list of words as the runtime prints it (runtime.printArgs: "0x1, {0x2?, _}, ..."), the fields of
// aggregates in place; cut says that the list has more. Any other text, the parameters of a C++ function say, has none.
func readWords(s []byte) (words []Arg, cut bool) {
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
		case string(token) == "..." && depth == 0:
			cut = true
		case string(token) == "..." || string(token) == "_":
			words = append(words, Arg{})
		case len(token) == 0 && closing > 0: // {}
		default:
			text, uncertain := bytes.CutSuffix(token, []byte("?"))
			digits, isHex := bytes.CutPrefix(text, []byte("0x"))
			value, err := strconv.ParseUint(string(digits), 16, 64)
			if !isHex || err != nil {
				return nil, false
			}
			words = append(words, Arg{Value: value, Uncertain: uncertain, Known: true})
		}
		if depth > maxNesting || depth < closing {
			return nil, false
		}
		depth -= closing
	}
	if depth != 0 {
		return nil, false
	}
	return words, cut
}

// maxNesting bounds aggregates in aggregates. The runtime prints 5 levels (abi.TraceArgsMaxDepth).
const maxNesting = 16
