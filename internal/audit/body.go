package audit

import (
	"bytes"

	"github.com/gotriage/triage/internal/jsonspan"
)

// An arena holds the text of strings that had escapes, until the next reset.
type arena []byte

// text decodes the string at b[i] and returns the position behind it. A value that is no string gives nil: a field
// with a value of the wrong type counts as absent. Without escapes the result is a part of b.
func (a *arena) text(b []byte, i int) ([]byte, int) {
	end := jsonspan.SkipValue(b, i)
	if end < 0 || b[i] != '"' {
		return nil, end
	}
	raw := b[i+1 : end-1 : end-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, end
	}
	from := len(*a)
	*a = jsonspan.AppendUnquoted(*a, raw)
	return (*a)[from:len(*a):len(*a)], end
}

// A member is a member of an object, with where its value goes: *[]byte takes a string, *int a whole number, *int64 a
// time, *bool true, *raw the value as it is, a func the position of any other and returns that behind it.
type member struct {
	name string
	to   any
}

// A rawValue is a JSON value.
type rawValue []byte

// members reads some members of the object at b[v] and returns the position behind it.
func (a *arena) members(b []byte, v int, list ...member) int {
	return jsonspan.EachMember(b, v, func(key []byte, v int) (end int) {
		for i := range list {
			if string(key) != list[i].name {
				continue
			}
			switch to := list[i].to.(type) {
			case *[]byte:
				*to, end = a.text(b, v)
			case *int:
				*to, end = jsonspan.Number(b, v)
			case *int64:
				*to, end = a.time(b, v)
			case *rawValue:
				if end = jsonspan.SkipValue(b, v); end >= 0 {
					*to = b[v:end]
				}
			case *bool:
				*to = jsonspan.IsTrue(b, v)
			case func(v int) int:
				end = to(v)
			}
			return end
		}
		return 0
	})
}

// time reads the time at b[i] and returns the position behind it.
func (a *arena) time(b []byte, i int) (t int64, end int) {
	text, end := a.text(b, i)
	return micros(text), end
}

// bodyFacts are what is read of an object's body besides its fields' changes.
type bodyFacts struct {
	kind                    []byte
	name, generateName, uid []byte
	version                 []byte // metadata.resourceVersion
	named                   bool   // metadata is there at all
	owner                   ownerRef
	nodeName, phase, reason []byte // of pods
}

// An ownerRef is the entry of the controller in metadata.ownerReferences, or the first.
type ownerRef struct{ api, kind, name, uid []byte }

// read reads the facts of an object's body, those of pods too; it reports whether b is an object with metadata.
func (f *bodyFacts) read(b []byte, a *arena, pod bool) bool {
	*f = bodyFacts{}
	if !jsonspan.IsObject(b, 0) {
		return false
	}
	a.members(b, 0, member{"kind", &f.kind}, member{"metadata", func(v int) int {
		f.named = true
		end := a.members(b, v, member{"name", &f.name}, member{"generateName", &f.generateName}, member{"uid", &f.uid},
			member{"resourceVersion", &f.version},
			member{"ownerReferences", func(v int) int { return f.owners(b, v, a) }})
		if !pod {
			return -1 // what follows is of no interest, and most of the bytes
		}
		return end
	}}, member{"spec", func(v int) int { return a.members(b, v, member{"nodeName", &f.nodeName}) }},
		member{"status", func(v int) int {
			return a.members(b, v, member{"phase", &f.phase}, member{"reason", &f.reason})
		}})
	return f.named
}

func (f *bodyFacts) owners(b []byte, v int, a *arena) int {
	return jsonspan.EachElement(b, v, func(at int) int {
		var ref ownerRef
		controller := false
		end := a.members(b, at, member{"apiVersion", &ref.api}, member{"kind", &ref.kind}, member{"name", &ref.name},
			member{"uid", &ref.uid}, member{"controller", &controller})
		if controller || f.owner.kind == nil {
			f.owner = ref
		}
		return end
	})
}
