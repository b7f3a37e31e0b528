package audit

import "github.com/gotriage/triage/internal/jsonspan"

// facts are what is read of an object's body besides its fields' changes.
type facts struct {
	kind                    []byte
	name, generateName, uid []byte
	version                 []byte // metadata.resourceVersion
	deleting                bool
	named                   bool // metadata is there at all
	owner                   ownerRef
	nodeName, phase, reason []byte // of pods
}

// An ownerRef is the entry of the controller in metadata.ownerReferences, or the first.
type ownerRef struct{ api, kind, name, uid []byte }

// read reads the facts of an object's body, those of pods too; it reports whether b is an object with metadata.
func (f *facts) read(b []byte, a *arena, pod bool) bool {
	*f = facts{}
	if !jsonspan.IsObject(b, 0) {
		return false
	}
	jsonspan.EachMember(b, 0, func(key []byte, v int) (end int) {
		switch string(key) {
		case "kind":
			f.kind, end = a.text(b, v)
		case "metadata":
			f.named = true
			if end = f.metadata(b, v, a); !pod {
				end = -1 // what follows is of no interest, and most of the bytes
			}
		case "spec":
			end = a.members(b, v, textMember{"nodeName", &f.nodeName})
		case "status":
			end = a.members(b, v, textMember{"phase", &f.phase}, textMember{"reason", &f.reason})
		}
		return end
	})
	return f.named
}

func (f *facts) metadata(b []byte, v int, a *arena) int {
	return jsonspan.EachMember(b, v, func(key []byte, v int) (end int) {
		switch string(key) {
		case "name":
			f.name, end = a.text(b, v)
		case "generateName":
			f.generateName, end = a.text(b, v)
		case "uid":
			f.uid, end = a.text(b, v)
		case "resourceVersion":
			f.version, end = a.text(b, v)
		case "deletionTimestamp":
			f.deleting = !jsonspan.IsNull(b, v)
		case "ownerReferences":
			end = f.owners(b, v, a)
		}
		return end
	})
}

func (f *facts) owners(b []byte, v int, a *arena) int {
	if b[v] != '[' {
		return jsonspan.SkipValue(b, v)
	}
	for i := v + 1; ; {
		at, more := jsonspan.Element(b, i)
		if at < 0 || !more {
			return at
		}
		end := jsonspan.SkipValue(b, at)
		if end < 0 {
			return -1
		}
		if ref, controller := ownerAt(b, at, a); controller || f.owner.kind == nil {
			f.owner = ref
		}
		i = end
	}
}

func ownerAt(b []byte, at int, a *arena) (ref ownerRef, controller bool) {
	if !jsonspan.IsObject(b, at) {
		return ref, false
	}
	jsonspan.EachMember(b, at, func(key []byte, v int) (end int) {
		switch string(key) {
		case "apiVersion":
			ref.api, end = a.text(b, v)
		case "kind":
			ref.kind, end = a.text(b, v)
		case "name":
			ref.name, end = a.text(b, v)
		case "uid":
			ref.uid, end = a.text(b, v)
		case "controller":
			end = jsonspan.SkipValue(b, v)
			controller = end >= 0 && string(b[v:end]) == "true"
		}
		return end
	})
	return ref, controller
}
