package waitgraph

import "github.com/gotriage/triage/internal/frame"

// A code is a function in its file, parsed once: the same ones are in many stacks. Names have numbers, so that
// comparing a call with those that take a lock needs no text.
type code struct {
	fn   string
	pkg  string
	typ  string // the receiver's type with its package; "" for plain functions. A closure has that of the method around it.
	file string
	// method reports whether the first word of a call is its receiver: closures have none, generic methods get a
	// dictionary first.
	method bool

	number                int32
	typNumber, fileNumber int32 // 0 for ""
}

// codes are those of one dump.
type codes struct {
	all   map[codeKey]*code
	names map[string]int32
}

type codeKey struct{ fn, file string }

func (cs codes) of(fn, file string) *code {
	key := codeKey{fn, file}
	if c := cs.all[key]; c != nil {
		return c
	}
	n := frame.ParseName(fn)
	c := &code{fn: fn, pkg: n.Package, file: file, number: int32(len(cs.all))}
	if n.Receiver != "" {
		c.typ, c.method = n.Package+"."+n.Receiver, n.Pointer && n.Closure == "" && !n.Generic
	}
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
