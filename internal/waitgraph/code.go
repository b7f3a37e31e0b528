package waitgraph

// A code is a function in its file, taken apart once: the same ones stand in many stacks. Numbers stand for names, so
// that a call is compared with those that take a lock without looking at text.
type code struct {
	fn       string
	pkg, typ string // see ownerOf
	file     string
	method   bool

	number                int32
	typNumber, fileNumber int32 // 0 for ""
}

// codes are those of one dump.
type codes struct {
	all   map[codeKey]*code
	names map[string]int32
}

type codeKey struct{ fn, file string }

func newCodes() codes {
	return codes{all: map[codeKey]*code{}, names: map[string]int32{"": 0}}
}

func (cs codes) of(fn, file string) *code {
	key := codeKey{fn, file}
	if c := cs.all[key]; c != nil {
		return c
	}
	c := &code{fn: fn, file: file, method: method(fn), number: int32(len(cs.all))}
	c.pkg, c.typ = ownerOf(fn)
	c.typNumber, c.fileNumber = cs.name(c.typ), cs.name(file)
	cs.all[key] = c
	return c
}

func (cs codes) name(s string) int32 {
	n, ok := cs.names[s]
	if !ok {
		n = int32(len(cs.names))
		cs.names[s] = n
	}
	return n
}
