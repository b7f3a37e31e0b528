package audit

// facts are what is read of an object's body besides its fields' changes.
type facts struct {
	kind, apiVersion        []byte
	name, generateName, uid []byte
	version                 []byte // metadata.resourceVersion
	deleting                bool
	named                   bool // metadata is there at all
	owner                   ownerRef
	nodeName, phase, reason []byte // of pods
}

// An ownerRef is the entry of the controller in metadata.ownerReferences, or the first.
type ownerRef struct{ api, kind, name, uid []byte }

// read reads the facts of an object's body; pod says whether to look into spec and status. It reports whether b is an object
// that has a metadata member.
func (f *facts) read(b []byte, a *arena, pod bool) bool {
	*f = facts{}
	if !isObject(b, 0) {
		return false
	}
	for i := 1; ; {
		key, v := member(b, i)
		if key == nil || v < 0 {
			return f.named
		}
		switch string(key) {
		case "kind":
			f.kind, i = a.text(b, v)
		case "apiVersion":
			f.apiVersion, i = a.text(b, v)
		case "metadata":
			f.named = true
			i = f.metadata(b, v, a)
			if !pod {
				// What follows is of no interest, and most of the bytes.
				return true
			}
		case "spec":
			i = f.podSpec(b, v, a)
		case "status":
			i = f.podStatus(b, v, a)
		default:
			i = skipValue(b, v)
		}
		if i < 0 {
			return f.named
		}
	}
}

func (f *facts) metadata(b []byte, v int, a *arena) int {
	if !isObject(b, v) {
		return skipValue(b, v)
	}
	for i := v + 1; ; {
		key, v := member(b, i)
		if key == nil || v < 0 {
			return v
		}
		switch string(key) {
		case "name":
			f.name, i = a.text(b, v)
		case "generateName":
			f.generateName, i = a.text(b, v)
		case "uid":
			f.uid, i = a.text(b, v)
		case "resourceVersion":
			f.version, i = a.text(b, v)
		case "deletionTimestamp":
			f.deleting = !isNull(b, v)
			i = skipValue(b, v)
		case "ownerReferences":
			i = f.owners(b, v, a)
		default:
			i = skipValue(b, v)
		}
		if i < 0 {
			return -1
		}
	}
}

func (f *facts) owners(b []byte, v int, a *arena) int {
	if b[v] != '[' {
		return skipValue(b, v)
	}
	for i := v + 1; ; {
		at, more := element(b, i)
		if at < 0 || !more {
			return at
		}
		end := skipValue(b, at)
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
	if !isObject(b, at) {
		return ref, false
	}
	for i := at + 1; ; {
		key, v := member(b, i)
		if key == nil || v < 0 {
			return ref, controller
		}
		switch string(key) {
		case "apiVersion":
			ref.api, i = a.text(b, v)
		case "kind":
			ref.kind, i = a.text(b, v)
		case "name":
			ref.name, i = a.text(b, v)
		case "uid":
			ref.uid, i = a.text(b, v)
		case "controller":
			i = skipValue(b, v)
			controller = i >= 0 && string(b[v:i]) == "true"
		default:
			i = skipValue(b, v)
		}
		if i < 0 {
			return ref, controller
		}
	}
}

func (f *facts) podSpec(b []byte, v int, a *arena) int {
	return eachMember(b, v, func(key []byte, v int) int {
		if string(key) == "nodeName" {
			var end int
			f.nodeName, end = a.text(b, v)
			return end
		}
		return skipValue(b, v)
	})
}

func (f *facts) podStatus(b []byte, v int, a *arena) int {
	return eachMember(b, v, func(key []byte, v int) int {
		var end int
		switch string(key) {
		case "phase":
			f.phase, end = a.text(b, v)
		case "reason":
			f.reason, end = a.text(b, v)
		default:
			end = skipValue(b, v)
		}
		return end
	})
}

// eachMember calls f with each member of the object at b[v]; f returns the position behind the value.
func eachMember(b []byte, v int, f func(key []byte, v int) int) int {
	if !isObject(b, v) {
		return skipValue(b, v)
	}
	for i := v + 1; ; {
		key, v := member(b, i)
		if key == nil || v < 0 {
			return v
		}
		if i = f(key, v); i < 0 {
			return -1
		}
	}
}
