package waitgraph

import "github.com/gotriage/triage/internal/frame"

// A code is a function in its file, parsed once: the same ones are in many stacks. Names have numbers, so that
// comparing a call with those that take a lock needs no text.
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

func newCodes() codes { return codes{all: map[codeKey]*code{}, names: map[string]int32{"": 0}} }

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

// ownerOf returns the package of a function and the receiver type with its package, "" for plain functions; a closure
// belongs to the method around it.
func ownerOf(fn string) (pkg, typ string) {
	n := frame.ParseName(fn)
	if n.Receiver != "" {
		typ = n.Package + "." + n.Receiver
	}
	return n.Package, typ
}

// method reports whether the first word of a call of fn is its receiver: closures have none, generic methods get a
// dictionary first.
func method(fn string) bool {
	n := frame.ParseName(fn)
	return n.Receiver != "" && n.Pointer && n.Closure == "" && !n.Generic
}
