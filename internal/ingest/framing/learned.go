package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// Loggers, CI systems and grep put all kinds of things before a line: `[18:05:32] text`, `job<tab>step<tab>text`,
// `0.log:12:text`. What such a prefix is can be learned from a dump behind it: where a goroutine's header does not
// begin its line, and the two lines below have a frame behind the same prefix, the text before the header is the
// prefix. Digits in it match any digits: clocks and line numbers go on. Loggers indent what spans lines, as klog does
// with a stack in a value (`stacktrace=<`, klog/v2/internal/serialize): blanks behind the first one are that indent,
// and a part of the text.

const (
	// maxLearned bounds a prefix, in bytes: a kubelet's path of 255 bytes a name, and a stamp behind it.
	maxLearned = 400
	// learnedTries is how many places with "goroutine " are looked at in a buffer: creators and log lines have it too.
	learnedTries = 4
)

var goroutineWord = []byte("goroutine ")

// learnPrefix looks for a dump behind a prefix that no framing knows.
func (u *unframer) learnPrefix(b []byte, continued bool) {
	if u.prefix.mode != plain {
		return
	}
	rest := b
	for range learnedTries {
		i := bytes.Index(rest, goroutineWord)
		if i < 0 {
			return
		}
		at := len(b) - len(rest) + i
		from := max(0, at-maxLearned-1) // lines may be long
		start := from + bytes.LastIndexByte(b[from:at], '\n') + 1
		rest = rest[i+len(goroutineWord):]
		if start == 0 && continued {
			continue // the rest of a line that the last buffer cut off
		}
		if at == start {
			return // the dump has no prefix
		}
		p := b[start:at]
		if !u.isPrefixOf(p, b[start:]) {
			// The header ends a log line: what the line has in common with the two below is the prefix.
			p = commonPrefix(b[start:])
		}
		if u.isPrefixOf(p, b[start:]) {
			u.prefix = prefixMode{mode: learned, learned: bytes.Clone(withoutIndent(p))}
			return
		}
	}
}

// isPrefixOf reports whether p precedes a header and the frame below it, at the beginning of text.
func (u *unframer) isPrefixOf(p, text []byte) bool {
	if len(p) > maxLearned || len(bytes.TrimSpace(p)) == 0 {
		return false
	}
	var lines [3][]byte
	for i := range lines {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return false
		}
		behind, ok := behindPrefix(p, bytes.TrimRight(text[:end], " \r"))
		if !ok {
			return false
		}
		lines[i], text = behind, text[end+1:]
	}
	call, file := lines[1], lines[2]
	header := lines[0][max(0, bytes.LastIndex(lines[0], goroutineWord)):]
	return len(header) > 0 && isHeader(header) && len(call) > 0 && call[len(call)-1] == ')' && call[0] > ' ' &&
		len(file) > 0 && (file[0] == '\t' || file[0] == ' ' || bytes.Contains(file, []byte(".go:"))) &&
		!u.known(withoutIndent(p))
}

// commonPrefix returns what the first line of text begins with as the two below it do, but for digits; it ends in a
// blank.
func commonPrefix(text []byte) []byte {
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	second, rest, _ := bytes.Cut(rest, []byte{'\n'})
	third, _, _ := bytes.Cut(rest, []byte{'\n'})
	n := 0
	for i, c := range first[:min(len(first), maxLearned)] {
		if c != ' ' {
			continue
		}
		_, ok := behindPrefix(first[:i+1], second)
		if _, also := behindPrefix(first[:i+1], third); !ok || !also {
			break
		}
		n = i + 1
	}
	return first[:n]
}

// withoutIndent keeps the first of the blanks at the end of a prefix.
func withoutIndent(p []byte) []byte {
	return p[:min(len(bytes.TrimRight(p, " \t"))+1, len(p))]
}

// known reports whether one of the framings takes the prefix off by itself.
func (u *unframer) known(p []byte) bool {
	probe := newUnframer(origin.Origin{}, batch{})
	var unframed unframedLine
	probe.unframe(append(bytes.Clone(p), "goroutine 1 [running]:"...), &unframed)
	if n, _ := klogHeader(unframed.text); n > 0 {
		unframed.text = unframed.text[n:]
	}
	return bytes.HasPrefix(unframed.text, goroutineWord)
}

// behindPrefix takes the prefix off line. A line that ends where the prefix has only blanks left is an empty one.
func behindPrefix(prefix, line []byte) (text []byte, ok bool) {
	if number := bytes.TrimLeft(prefix, " "); len(number) > 0 && isDigit(number[0]) { // cat -n and less -N align them
		prefix, line = number, bytes.TrimLeft(line, " ")
	}
	for i := 0; i < len(prefix); {
		if len(line) == 0 {
			return nil, len(bytes.TrimRight(prefix[i:], " \t")) == 0
		}
		if !isDigit(prefix[i]) {
			if line[0] != prefix[i] {
				return nil, false
			}
			i, line = i+1, line[1:]
			continue
		}
		n := skipDigits(line, 0)
		if n == 0 {
			return nil, false
		}
		i, line = skipDigits(prefix, i), line[n:]
	}
	return line, true
}

func (u *unframer) unframeLearned(line []byte, unframed *unframedLine) bool {
	text, ok := behindPrefix(u.prefix.learned, line)
	if ok {
		unframed.text, unframed.kind = text, learned
	}
	return ok
}
