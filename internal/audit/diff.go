package audit

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/jsonspan"
)

const (
	// maxPaths is how many changed fields of one write are named; a loop moves one or two.
	maxPaths = 8
	// maxPath and maxValue bound the text kept of a field's path and of its value.
	maxPath, maxValue = 200, 64
	// maxDepth is how deep bodies are compared: an OpenAPI schema in a custom resource definition nests some 30 deep.
	maxDepth = 64
	// maxAhead is how many members are looked through for one that moved.
	maxAhead = 64
)

// A Change is one field that a write changed, or set to what the log doesn't know the old value of. Old or New is ""
// where the field wasn't there. Values are JSON, cut at 64 bytes; those of Secrets and of fields that are named like
// one are masked.
type Change struct{ Path, Old, New string }

// isTime reports whether both values of a change that are there are timestamps.
func (c *Change) isTime() bool {
	return (c.Old == "" || isTimestamp(c.Old)) && (c.New == "" || isTimestamp(c.New)) &&
		(isTimestamp(c.Old) || isTimestamp(c.New))
}

// isTimestamp recognises an RFC 3339 time, as JSON string, by its shape.
func isTimestamp(raw string) bool {
	return len(raw) >= len(`"2006-01-02T15:04:05Z"`) && raw[0] == '"' && raw[5] == '-' && raw[8] == '-' &&
		raw[11] == 'T' && raw[14] == ':' && raw[1] >= '0' && raw[1] <= '9'
}

// A differ compares two JSON bodies field by field and walks the leaves of one. Equal parts cost one look.
type differ struct {
	path   []byte
	out    []Change
	more   int
	steps  int // bytes that may still be looked at: hostile bodies nest deep
	masked bool
	parts  []part           // scratch
	leaf   func(raw []byte) // of a walk over one body
}

// A part is a member of an object with its name, or an item of a list with the name that identifies it, nil for none.
type part struct{ name, raw []byte }

// compare returns what differs between the objects a and b; more counts changes behind the first maxPaths. ok is false
// where a body breaks off or is too tangled.
func (d *differ) compare(a, b []byte, masked bool) (changes []Change, more int, ok bool) {
	*d = differ{path: d.path[:0], out: d.out[:0], parts: d.parts[:0], steps: 16*(len(a)+len(b)) + 4096, masked: masked}
	if !jsonspan.IsObject(a, 0) || !jsonspan.IsObject(b, 0) {
		return nil, 0, false
	}
	end := d.values(a, b, 0, 0)
	return d.out, d.more, end >= 0
}

// values compares a with the value at b[v], and returns the position behind that: objects and lists by their parts,
// lists with moved items and all others as one.
func (d *differ) values(a, b []byte, v, depth int) (end int) {
	from := len(d.parts)
	defer func() { d.parts = d.parts[:from] }()
	if v < len(b) && depth < maxDepth && a[0] == b[v] {
		switch a[0] {
		case '{':
			return d.objects(d.partsOf(a, depth), b, v, depth)
		case '[':
			if end = d.lists(d.partsOf(a, depth), b, v, depth); end != 0 {
				return end
			}
		}
	}
	return d.whole(a, b, v)
}

// whole compares a with the value at b[v] as one, nil with one that is new.
func (d *differ) whole(a, b []byte, v int) (end int) {
	if end = jsonspan.SkipValue(b, v); end >= 0 && !bytes.Equal(a, b[v:end]) {
		d.emit(a, b[v:end])
	}
	return end
}

// partsOf are the parts of an object or a list that are compared.
func (d *differ) partsOf(a []byte, depth int) []part {
	from := len(d.parts)
	add := func(name []byte, v int) int {
		end := jsonspan.SkipValue(a, v)
		if end >= 0 {
			d.parts = append(d.parts, part{name, a[v:end]})
		}
		return end
	}
	if d.steps -= len(a); a[0] == '[' {
		jsonspan.EachElement(a, 0, func(at int) int { return add(itemName(a, at), at) })
	} else {
		jsonspan.EachMember(a, 0, func(key []byte, v int) int {
			if d.ignored(key, depth) {
				return 0
			}
			return add(key, v)
		})
	}
	return d.parts[from:]
}

func (d *differ) objects(a []part, b []byte, v, depth int) (end int) {
	end = jsonspan.EachMember(b, v, func(key []byte, v int) int {
		if d.ignored(key, depth) {
			return 0
		}
		same := slices.IndexFunc(a[:min(len(a), maxAhead)], func(p part) bool { return string(p.name) == string(key) })
		for range same { // those before it are gone
			d.gone(a[0].name, a[0].raw)
			a = a[1:]
		}
		var raw []byte
		if same >= 0 {
			raw, a = a[0].raw, a[1:]
		}
		return d.below(raw, b, v, depth, func() { d.push(key) })
	})
	for _, p := range a {
		d.gone(p.name, p.raw)
	}
	return end
}

// gone notes a member that b lacks.
func (d *differ) gone(name, raw []byte) {
	mark := len(d.path)
	d.push(name)
	d.emit(raw, nil)
	d.path = d.path[:mark]
}

// lists compares two lists by their items; 0 where these are not in one order or, but for objects, not the same.
func (d *differ) lists(a []part, b []byte, v, depth int) (end int) {
	n, moved := 0, false
	item := func(name []byte) func() {
		return func() { d.pushItem([]byte(cmp.Or(string(name), strconv.Itoa(n)))) }
	}
	end = jsonspan.EachElement(b, v, func(at int) (end int) {
		defer func() { n++ }()
		if n < len(a) && bytes.HasPrefix(b[at:], a[n].raw) && jsonspan.EndsWord(b, at+len(a[n].raw)) {
			return at + len(a[n].raw)
		}
		name, raw := itemName(b, at), []byte(nil)
		if n < len(a) {
			raw = a[n].raw
		}
		if moved = raw == nil && name == nil || raw != nil && (raw[0] != '{' || b[at] != '{' ||
			string(a[n].name) != string(name)); moved {
			return -1
		}
		return d.below(raw, b, at, depth, item(name))
	})
	for ; end >= 0 && n < len(a); n++ {
		if a[n].name == nil {
			return 0
		}
		mark := len(d.path)
		item(a[n].name)()
		d.emit(a[n].raw, nil)
		d.path = d.path[:mark]
	}
	if moved {
		return 0
	}
	return end
}

// below compares a part, nil where it is not there, with the value at b[v], its name pushed on the path.
func (d *differ) below(a, b []byte, v, depth int, push func()) (end int) {
	if a != nil && bytes.HasPrefix(b[v:], a) && jsonspan.EndsWord(b, v+len(a)) {
		return v + len(a)
	}
	mark := len(d.path)
	switch push(); {
	case d.steps < 0:
		end = -1
	case a == nil:
		end = d.whole(nil, b, v)
	default:
		end = d.values(a, b, v, depth+1)
	}
	d.path = d.path[:mark]
	return end
}

// ignored are the fields that the server moves with every write.
func (d *differ) ignored(key []byte, depth int) bool {
	switch depth {
	case 0:
		return string(key) == "apiVersion" || string(key) == "kind" || string(key) == "@type" // GKE adds it
	case 1:
		if string(d.path) == "metadata" {
			switch string(key) {
			case "managedFields", "resourceVersion", "generation", "selfLink", "uid", "name", "namespace",
				"creationTimestamp":
				return true
			}
		}
	}
	return false
}

// push appends a member's name to the path: status.conditions, metadata.annotations[example.com/x].
func (d *differ) push(key []byte) {
	if bytes.IndexByte(key, '.') >= 0 || bytes.IndexByte(key, '/') >= 0 {
		d.pushItem(key)
		return
	}
	if len(d.path) > 0 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, key...)
}

func (d *differ) pushItem(name []byte) {
	d.path = append(d.path, '[')
	d.path = append(d.path, name[:min(len(name), 63)]...)
	d.path = append(d.path, ']')
}

// itemName is the value that identifies an item of a list in Kubernetes: a condition's type, a container's name.
func itemName(b []byte, i int) []byte {
	if !jsonspan.IsObject(b, i) {
		return nil
	}
	var name []byte
	jsonspan.EachMember(b, i, func(key []byte, v int) int {
		end := jsonspan.SkipValue(b, v)
		switch {
		case end < 0:
			name = nil
		case b[v] != '"':
		case string(key) == "type":
			name, end = b[v+1:end-1], -1
		case string(key) == "name":
			name = b[v+1 : end-1]
		}
		return end
	})
	return name
}

func (d *differ) emit(before, after []byte) {
	if len(d.out) == maxPaths {
		d.more++
		return
	}
	path := string(d.path[:min(len(d.path), maxPath)])
	c := Change{Path: path}
	if d.masked || sensitive(path) {
		c.Old, c.New = mask(before), mask(after)
	} else {
		c.Old, c.New = cutApart(before, after)
	}
	d.out = append(d.out, c)
}

// mask hides a value entirely: it is only there or not.
func mask(raw []byte) string {
	if raw == nil {
		return ""
	}
	return "***"
}

func cut(raw []byte) string {
	if len(raw) > maxValue {
		return string(raw[:maxValue-3]) + "..."
	}
	return string(raw)
}

// cutApart cuts two values where they differ, if that is behind what cut leaves of them: two lists of owners or of
// rules begin alike.
func cutApart(before, after []byte) (old, is string) {
	const near = 16 // bytes shown before the difference
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	if same < maxValue-near || before == nil || after == nil {
		return cut(before), cut(after)
	}
	from := func(raw []byte) string {
		rest := raw[same-near:]
		return "..." + string(rest[:min(len(rest), maxValue-3)])
	}
	return from(before), from(after)
}

func sensitive(path string) bool {
	last := strings.ToLower(path[strings.LastIndexAny(path, ".[")+1:])
	for _, word := range []string{"password", "passwd", "token", "secret", "credential", "apikey", "api_key",
		"privatekey", "private_key"} {
		if strings.Contains(last, word) {
			return true
		}
	}
	return false
}

// walk calls f for each leaf of the object b: scalars, and lists of items without names.
// While f runs, d.path is the leaf's path.
func (d *differ) walk(b []byte, f func(raw []byte)) bool {
	*d = differ{path: d.path[:0], out: d.out[:0], parts: d.parts[:0], leaf: f}
	return jsonspan.IsObject(b, 0) && d.leaves(b, 0, 0) >= 0
}

func (d *differ) leaves(b []byte, i, depth int) int {
	switch {
	case depth == maxDepth || i >= len(b):
	case b[i] == '{':
		return d.leavesOfObject(b, i, depth)
	case b[i] == '[' && namedItems(b, i):
		return d.leavesOfList(b, i, depth)
	}
	end := jsonspan.SkipValue(b, i)
	if end >= 0 {
		d.leaf(b[i:end])
	}
	return end
}

func (d *differ) leavesOfObject(b []byte, i, depth int) int {
	return jsonspan.EachMember(b, i, func(key []byte, v int) int {
		if d.ignored(key, depth) || len(key) > 0 && key[0] == '$' {
			return 0
		}
		mark := len(d.path)
		d.push(key)
		end := d.leaves(b, v, depth+1)
		d.path = d.path[:mark]
		return end
	})
}

// leavesOfList walks a list of named items, such as conditions and containers: each is a part of the object.
func (d *differ) leavesOfList(b []byte, i, depth int) int {
	return jsonspan.EachElement(b, i, func(at int) int {
		mark := len(d.path)
		d.pushItem(itemName(b, at))
		end := d.leaves(b, at, depth+1)
		d.path = d.path[:mark]
		return end
	})
}

func namedItems(b []byte, i int) bool {
	at, more := jsonspan.Element(b, i+1)
	return more && itemName(b, at) != nil
}
