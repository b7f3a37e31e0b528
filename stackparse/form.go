package stackparse

// A form is how the lines of a text are written.
type form struct {
	end  byte   // what a line's end begins with
	tab  string // how a tab may be written besides as itself
	step int64  // between the numbers of two lines
	bare bool   // nothing but a newline is between two lines
}

var (
	written = form{end: '\n', step: 1, bare: true}
	escaped = form{end: '\\', tab: `\t`}
)

// next returns where the line begins that follows the one that ends at a place, -1 where that is no line's end.
func (f *form) next(text []byte, end int) int {
	switch {
	case f.bare: // small enough to be inlined
		return end + 1
	case end+1 < len(text) && text[end+1] == 'n':
		return end + 2
	}
	return -1
}

// behindTab returns what follows the tab at a place of text, -1 where none is there.
func (f *form) behindTab(text []byte, at int) int {
	switch {
	case at >= len(text):
	case text[at] == '\t':
		return at + 1
	case f.tab != "" && text[at] == f.tab[0] && len(text)-at >= len(f.tab) && string(text[at:at+len(f.tab)]) == f.tab:
		return at + len(f.tab)
	}
	return -1
}
