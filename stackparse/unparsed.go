package stackparse

// pendingUnparsed holds the lines outside the grammar since the last line of the dump. When the dump goes on they are
// inside it, and are reported; when it does not, they follow it and are no part of it.
type pendingUnparsed struct {
	lines int
	first []UnparsedLine // at most maxUnparsed
}

// maxUnparsedText bounds what is kept of an unparsed line, in bytes.
const maxUnparsedText = 256

func (u *pendingUnparsed) add(num int64, text []byte) {
	u.lines++
	if len(u.first) < maxUnparsed {
		u.first = append(u.first, UnparsedLine{Line: num, Text: cutText(text, maxUnparsedText)})
	}
}

// dropLast removes the last line: its two halves were found.
func (u *pendingUnparsed) dropLast() {
	if u.lines == len(u.first) && u.lines > 0 {
		u.first = u.first[:u.lines-1]
	}
	u.lines = max(u.lines-1, 0)
}

func (u *pendingUnparsed) reset() { u.lines, u.first = 0, u.first[:0] }

// commit reports the lines: the dump goes on.
func (u *pendingUnparsed) commit(dump *Dump) {
	if u.lines == 0 {
		return
	}
	dump.UnparsedLines += u.lines
	if room := maxUnparsed - len(dump.Unparsed); room > 0 {
		dump.Unparsed = append(dump.Unparsed, u.first[:min(room, len(u.first))]...)
	}
	u.reset()
}
