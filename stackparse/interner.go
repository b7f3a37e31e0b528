package stackparse

// An interner keeps one copy of each function and file name.
type interner map[string]string

// Bounds on the names that outlive a dump: their number, and the length of one in bytes. The founding dump has 830
// names, 2,600 with the calls and places of prefixes, and at most one line more for each prefix (stackPrefix.line); the
// longest name of the corpus has 190 bytes.
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

// An idSet remembers the first ids of a dump, 0 excepted. A dump that follows without a cause of its own repeats one of
// them early: goroutine 1 is in nearly every dump.
type idSet struct {
	slots [256]uint64
	n     int
}

// maxIDs keeps the table half empty.
const maxIDs = 128

func (s *idSet) slot(id uint64) *uint64 {
	i := id * 0x9E3779B97F4A7C15 >> 56
	for s.slots[i] != 0 && s.slots[i] != id {
		i = (i + 1) & 255
	}
	return &s.slots[i]
}

func (s *idSet) has(id uint64) bool { return *s.slot(id) == id }

func (s *idSet) add(id uint64) {
	if s.n < maxIDs {
		*s.slot(id) = id
		s.n++
	}
}
