package stackparse

import "bytes"

// A Framing is what a log writes around the text of each line of a goroutine.
type Framing interface {
	// Syntax returns what the text of a line ends with ('\n', or the backslash of an escaped \n), how a tab may be
	// written besides as itself, and bytes: a line that has one of them must not be taken.
	Syntax() (end byte, tab, never string)
	// AfterLine returns what follows the line whose text ends at a place: where its framing ends, -1 if it is framed
	// otherwise, and where the text of the next line begins, -1 if that is framed otherwise.
	AfterLine(text []byte, end int) (behind, next int)
}

// A lineSyntax is how the lines of a text are written.
type lineSyntax struct {
	end    byte   // what a line's end begins with
	never  string // a line with one of these bytes is not taken
	tab    string // how a tab may be written besides as itself
	step   int64  // between the numbers of two lines
	bare   bool   // nothing but a newline is between two lines
	around Framing
}

var (
	written = lineSyntax{end: '\n', step: 1, bare: true}
	escaped = lineSyntax{end: '\\', tab: `\t`}
)

func framedBy(around Framing) lineSyntax {
	f := lineSyntax{step: 1, around: around}
	f.end, f.tab, f.never = around.Syntax()
	return f
}

// afterLine returns what follows the line that ends at a place, see Framing.AfterLine.
func (f *lineSyntax) afterLine(text []byte, end int) (behind, next int) {
	if !f.bare { // small enough to be inlined
		return f.afterFramedLine(text, end)
	}
	end++
	return end, end
}

func (f *lineSyntax) afterFramedLine(text []byte, end int) (behind, next int) {
	switch {
	case f.around != nil:
		return f.around.AfterLine(text, end)
	case end+1 < len(text) && text[end+1] == 'n':
		return end + 2, end + 2
	}
	return -1, -1
}

// behindTab returns what follows the tab at a place of text, -1 where none is there.
func (f *lineSyntax) behindTab(text []byte, at int) int {
	switch {
	case at >= len(text):
	case text[at] == '\t':
		return at + 1
	case f.tab != "" && text[at] == f.tab[0] && len(text)-at >= len(f.tab) && string(text[at:at+len(f.tab)]) == f.tab:
		return at + len(f.tab)
	}
	return -1
}

// allows reports whether a part of a line has none of the bytes of never.
func (f *lineSyntax) allows(text []byte) bool {
	for i := range len(f.never) {
		if bytes.IndexByte(text, f.never[i]) >= 0 {
			return false
		}
	}
	return true
}
