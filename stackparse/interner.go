package stackparse

// An interner keeps one copy of each function and file name.
type interner map[string]string

// Bounds on the names that outlive a dump: their number, and the length of one in bytes. The founding dump has 830
// names, and 2,600 with those of paths; the longest of the corpus has 190 bytes.
const (
	maxNames = 1 << 17
	maxName  = 512
)

func (in interner) string(b []byte) string {
	if s, ok := in[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(in) < maxNames && len(s) <= maxName {
		in[s] = s
	}
	return s
}
