package audit

import (
	"bytes"
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
	steps  int // bytes that may still be looked at: hostile bodies make every member look through all others
	masked bool
	leaf   func(raw []byte) // of a walk over one body
}

// compare returns what differs between the objects a and b; more counts changes behind the first maxPaths. ok is false
// where a body breaks off or is too tangled.
func (d *differ) compare(a, b []byte, masked bool) (changes []Change, more int, ok bool) {
	*d = differ{path: d.path[:0], out: d.out[:0], steps: 16*(len(a)+len(b)) + 4096, masked: masked}
	if !jsonspan.IsObject(a, 0) || !jsonspan.IsObject(b, 0) {
		return nil, 0, false
	}
	i, j := d.objects(a, 0, b, 0, 0)
	return d.out, d.more, i >= 0 && j >= 0
}

func (d *differ) values(a []byte, i int, b []byte, j, depth int) (int, int) {
	if i < len(a) && j < len(b) && depth < maxDepth && a[i] == b[j] {
		switch a[i] {
		case '{':
			return d.objects(a, i, b, j, depth)
		case '[':
			return d.lists(a, i, b, j, depth)
		}
	}
	return d.whole(a, i, b, j)
}

// whole compares two values as one: scalars, lists of them, lists with moved items.
func (d *differ) whole(a []byte, i int, b []byte, j int) (int, int) {
	ei, ej := jsonspan.SkipValue(a, i), jsonspan.SkipValue(b, j)
	if ei < 0 || ej < 0 {
		return -1, -1
	}
	if !bytes.Equal(a[i:ei], b[j:ej]) {
		d.emit(a[i:ei], b[j:ej])
	}
	return ei, ej
}

func (d *differ) objects(a []byte, i int, b []byte, j, depth int) (int, int) {
	ka, va := jsonspan.Member(a, i+1)
	kb, vb := jsonspan.Member(b, j+1)
	for {
		inA, inB := ka != nil && va >= 0, kb != nil && vb >= 0
		switch {
		case !inA && !inB:
			return va, vb
		case inA && inB && d.steps < 0:
			return -1, -1
		case inA && inB && string(ka) == string(kb):
			i, j = d.members(ka, a, va, b, vb, depth)
		case inB && (!inA || d.ahead(ka, b, vb)):
			j, inA = d.oneSided(kb, b, vb, depth, false), false
		default:
			i, inB = d.oneSided(ka, a, va, depth, true), false
		}
		if i < 0 || j < 0 {
			return -1, -1
		}
		if inA {
			ka, va = jsonspan.Member(a, i)
		}
		if inB {
			kb, vb = jsonspan.Member(b, j)
		}
	}
}

// members compares two members of one name. Most are equal: one is stepped over, the other compared as bytes.
func (d *differ) members(key, a []byte, va int, b []byte, vb, depth int) (int, int) {
	ea := jsonspan.SkipValue(a, va)
	if ea < 0 {
		return -1, -1
	}
	d.steps -= ea - va
	if d.ignored(key, depth) {
		return ea, jsonspan.SkipValue(b, vb)
	}
	raw := a[va:ea]
	if eb := vb + len(raw); eb <= len(b) && jsonspan.EndsWord(b, eb) && bytes.Equal(raw, b[vb:eb]) {
		return ea, eb
	}
	mark := len(d.path)
	d.push(key)
	i, j := d.values(a, va, b, vb, depth+1)
	d.path = d.path[:mark]
	return i, j
}

// ahead reports whether a member named key follows the one with its value at b[v].
func (d *differ) ahead(key, b []byte, v int) bool {
	i := jsonspan.SkipValue(b, v)
	for n := 0; n < maxAhead && i >= 0; n++ {
		k, v := jsonspan.Member(b, i)
		if k == nil || v < 0 {
			return false
		}
		if string(k) == string(key) {
			return true
		}
		i = jsonspan.SkipValue(b, v)
		d.steps -= max(i-v, 0)
	}
	return false
}

func (d *differ) oneSided(key, b []byte, v, depth int, removed bool) int {
	end := jsonspan.SkipValue(b, v)
	if end < 0 || d.ignored(key, depth) {
		return end
	}
	mark := len(d.path)
	d.push(key)
	d.emitOne(b[v:end], removed)
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

func (d *differ) lists(a []byte, i int, b []byte, j, depth int) (int, int) {
	si, sj := i, j
	i, j = i+1, j+1
	for n := 0; ; n++ {
		pa, moreA := jsonspan.Element(a, i)
		pb, moreB := jsonspan.Element(b, j)
		if pa < 0 || pb < 0 || d.steps < 0 {
			return -1, -1
		}
		if !moreA && !moreB {
			return pa, pb
		}
		na, nb := itemName(a, pa, moreA), itemName(b, pb, moreB)
		if moreA && moreB && (a[pa] != '{' || b[pb] != '{') || string(na) != string(nb) && moreA && moreB {
			ea, eb := jsonspan.SkipValue(a, pa), jsonspan.SkipValue(b, pb)
			if ea < 0 || eb < 0 {
				return -1, -1
			}
			if bytes.Equal(a[pa:ea], b[pb:eb]) {
				i, j = ea, eb
				continue
			}
			return d.whole(a, si, b, sj)
		}
		if !moreA || !moreB {
			if na == nil && nb == nil {
				return d.whole(a, si, b, sj)
			}
			return d.rest(a, pa, moreA, n, true), d.rest(b, pb, moreB, n, false)
		}
		mark := len(d.path)
		d.pushIndex(na, n)
		i, j = d.values(a, pa, b, pb, depth+1)
		d.path = d.path[:mark]
		if i < 0 || j < 0 {
			return -1, -1
		}
		d.steps -= i - pa
	}
}

func (d *differ) pushIndex(name []byte, n int) {
	if name == nil {
		name = strconv.AppendInt(nil, int64(n), 10)
	}
	d.pushItem(name)
}

func (d *differ) rest(list []byte, i int, more bool, n int, removed bool) int {
	for ; more; n++ {
		end := jsonspan.SkipValue(list, i)
		if end < 0 {
			return -1
		}
		mark := len(d.path)
		d.pushIndex(itemName(list, i, true), n)
		d.emitOne(list[i:end], removed)
		d.path = d.path[:mark]
		i, more = jsonspan.Element(list, end)
	}
	return i
}

// itemName is the value that identifies an item of a list in Kubernetes: a condition's type, a container's name.
func itemName(b []byte, i int, there bool) []byte {
	if !there || !jsonspan.IsObject(b, i) {
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

func (d *differ) emitOne(raw []byte, removed bool) {
	if removed {
		d.emit(raw, nil)
	} else {
		d.emit(nil, raw)
	}
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
	*d = differ{path: d.path[:0], out: d.out[:0], leaf: f}
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
		d.pushItem(itemName(b, at, true))
		end := d.leaves(b, at, depth+1)
		d.path = d.path[:mark]
		return end
	})
}

func namedItems(b []byte, i int) bool {
	at, more := jsonspan.Element(b, i+1)
	return more && itemName(b, at, true) != nil
}
