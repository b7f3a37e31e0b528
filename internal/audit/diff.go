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
	broken bool
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
	d.values(a, b, 0)
	return d.out, d.more, !d.broken
}

// values compares two values: objects and lists by their parts, lists with moved items and all others as one.
func (d *differ) values(a, b []byte, depth int) {
	if bytes.Equal(a, b) {
		return
	}
	from := len(d.parts)
	x := d.partsOf(a, depth, nil)
	y := d.partsOf(b, depth, x)
	switch {
	case a[0] == '{' && b[0] == '{' && depth < maxDepth:
		d.objects(x, y, depth)
	case a[0] != '[' || b[0] != '[' || depth == maxDepth || !d.lists(x, y, depth):
		d.emit(a, b)
	}
	d.parts = d.parts[:from]
}

// partsOf are the parts of an object or a list that are compared. One that is equal to that of like, in the same place,
// is not looked into.
func (d *differ) partsOf(b []byte, depth int, like []part) []part {
	from, end := len(d.parts), 0
	if d.steps -= len(b); d.steps < 0 {
		d.broken = true
	}
	if d.broken || depth == maxDepth {
		return nil
	}
	take := func(name []byte, v int) (end int) {
		if n := len(d.parts) - from; n < len(like) && bytes.HasPrefix(b[v:], like[n].raw) {
			if end = v + len(like[n].raw); jsonspan.EndsWord(b, end) {
				d.parts = append(d.parts, part{name, like[n].raw})
				return end
			}
		}
		if end = jsonspan.SkipValue(b, v); end >= 0 {
			d.parts = append(d.parts, part{name, b[v:end]})
		}
		return end
	}
	switch b[0] {
	case '{':
		end = jsonspan.EachMember(b, 0, func(key []byte, v int) int {
			if d.ignored(key, depth) {
				return 0
			}
			return take(key, v)
		})
	case '[':
		end = jsonspan.EachElement(b, 0, func(at int) int { return take(itemName(b, at), at) })
	}
	d.broken = d.broken || end < 0
	return d.parts[from:]
}

func (d *differ) objects(a, b []part, depth int) {
	for len(a)+len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && string(a[0].name) == string(b[0].name):
			d.below(a[0].raw, b[0].raw, depth, func() { d.push(a[0].name) })
			a, b = a[1:], b[1:]
		case len(b) > 0 && (len(a) == 0 || slices.ContainsFunc(b[1:min(len(b), maxAhead)], func(p part) bool {
			return string(p.name) == string(a[0].name)
		})):
			d.below(nil, b[0].raw, depth, func() { d.push(b[0].name) })
			b = b[1:]
		default:
			d.below(a[0].raw, nil, depth, func() { d.push(a[0].name) })
			a = a[1:]
		}
	}
}

// lists compares two lists by their items, and reports whether these are in one order and, but for objects, the same.
func (d *differ) lists(a, b []part, depth int) bool {
	for n := range max(len(a), len(b)) {
		var x, y part
		if n < len(a) {
			x = a[n]
		}
		if n < len(b) {
			y = b[n]
		}
		name := cmp.Or(string(x.name), string(y.name))
		switch one := x.raw == nil || y.raw == nil; {
		case !one && bytes.Equal(x.raw, y.raw):
			continue
		case one && name == "", !one && (x.raw[0] != '{' || y.raw[0] != '{' || string(x.name) != string(y.name)):
			return false
		}
		d.below(x.raw, y.raw, depth, func() { d.pushItem([]byte(cmp.Or(name, strconv.Itoa(n)))) })
	}
	return true
}

// below compares the values of a part, nil where it is not there, with its name pushed on the path.
func (d *differ) below(a, b []byte, depth int, push func()) {
	if bytes.Equal(a, b) {
		return
	}
	mark := len(d.path)
	if push(); a == nil || b == nil {
		d.emit(a, b)
	} else {
		d.values(a, b, depth+1)
	}
	d.path = d.path[:mark]
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
