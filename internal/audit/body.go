package audit

import "github.com/gotriage/triage/internal/jsonspan"

// facts are what is read of an object's body besides its fields' changes.
type facts struct {
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
func (f *facts) read(b []byte, a *arena, pod bool) bool {
	*f = facts{}
	if !jsonspan.IsObject(b, 0) {
		return false
	}
	a.members(b, 0, into{"kind", &f.kind}, into{"metadata", func(v int) int {
		f.named = true
		end := a.members(b, v, into{"name", &f.name}, into{"generateName", &f.generateName}, into{"uid", &f.uid},
			into{"resourceVersion", &f.version}, into{"ownerReferences", func(v int) int { return f.owners(b, v, a) }})
		if !pod {
			return -1 // what follows is of no interest, and most of the bytes
		}
		return end
	}}, into{"spec", func(v int) int { return a.members(b, v, into{"nodeName", &f.nodeName}) }},
		into{"status", func(v int) int {
			return a.members(b, v, into{"phase", &f.phase}, into{"reason", &f.reason})
		}})
	return f.named
}

func (f *facts) owners(b []byte, v int, a *arena) int {
	return jsonspan.EachElement(b, v, func(at int) int {
		var ref ownerRef
		controller := false
		end := a.members(b, at, into{"apiVersion", &ref.api}, into{"kind", &ref.kind}, into{"name", &ref.name},
			into{"uid", &ref.uid}, into{"controller", &controller})
		if controller || f.owner.kind == nil {
			f.owner = ref
		}
		return end
	})
}
