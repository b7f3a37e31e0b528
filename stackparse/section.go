package stackparse

import "bytes"

// section reads one multi-line construct that begins with a recognised line.
type section interface {
	line(text []byte, num int64) bool // false: the line is not part of it, and was not consumed
	finish() *Dump                    // the dump; called once, after line returned false or at the end of the stream
}

var raceRuler = []byte("==================")

// startsOther recognises lines that begin another construct.
func startsOther(text []byte) bool {
	return bytes.HasPrefix(text, headerPrefix) || startsCause(text) || bytes.HasPrefix(text, raceRuler) ||
		bytes.Contains(text, []byte(" profile: total "))
}

// startsCause recognises the lines that begin another dump even without a blank line before it.
func startsCause(line []byte) bool {
	return bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: ")) ||
		bytes.HasPrefix(line, []byte("SIG")) && bytes.IndexByte(line, ':') > 0
}
