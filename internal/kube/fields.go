package kube

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"time"
)

// maxNamesHere bounds the distinct fields and list keys of one source that keep their names.
const maxNamesHere = 1 << 16

const (
	valueHash   = 0
	valueTime   = 1 // nanoseconds since 1970, times four
	valueNumber = 2 // the number, times four
	valueMask   = 3
)

// A fieldHasher takes objects apart into fields. What it learns of names goes to the store.
type fieldHasher struct {
	names map[uint64]pathName
	words map[uint64]string // values of the keys that name a list's entries, by their hash
	buf   []field
}

// of are the fields of the object n, but for those that name it and those that every write moves.
func (f *fieldHasher) of(t *tree, n int32) []field {
	f.buf = f.buf[:0]
	for c := t.nodes[n].child; c != 0; c = t.nodes[c].next {
		key := t.key(c)
		switch string(key) {
		case "apiVersion", "kind":
			continue
		case "metadata":
			h := f.step(0, key, -1)
			for m := t.nodes[c].child; m != 0 && t.nodes[c].kind == mapNode; m = t.nodes[m].next {
				switch k := t.key(m); string(k) {
				case "annotations", "labels", "finalizers", "ownerReferences", "deletionTimestamp":
					f.walk(t, m, f.step(h, k, -1))
				}
			}
			continue
		}
		f.walk(t, c, f.step(0, key, -1))
	}
	return slices.Clone(f.buf)
}

func (f *fieldHasher) walk(t *tree, n int32, path uint64) {
	nd := &t.nodes[n]
	if len(f.buf) == maxFieldsOf {
		return
	}
	switch {
	case nd.kind == mapNode && nd.child != 0:
		for c := nd.child; c != 0; c = t.nodes[c].next {
			key := t.key(c)
			f.walk(t, c, f.step(path, key, -1))
			if len(key) == 4 && (string(key) == "type" || string(key) == "name") {
				f.word(t, c)
			}
		}
	case nd.kind == seqNode && nd.child != 0:
		i := int32(0)
		for c := nd.child; c != 0; c = t.nodes[c].next {
			f.walk(t, c, f.step(path, nil, i))
			i++
		}
	default:
		f.buf = append(f.buf, field{path, f.value(t, n)})
	}
}

// step is the hash of a path with one more key or, where index is not negative, entry.
func (f *fieldHasher) step(parent uint64, key []byte, index int32) uint64 {
	h := pathHash(parent, key, index)
	if _, known := f.names[h]; !known && len(f.names) < maxNamesHere && len(key) <= maxIdent {
		f.names[h] = pathName{parent: parent, key: string(key), index: index}
	}
	return h
}

func pathHash(parent uint64, key []byte, index int32) uint64 {
	h := uint64(index) + 1
	if index < 0 {
		h = maphash.Bytes(seed, key)
	}
	h = (bits.RotateLeft64(parent, 23) ^ h) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// value is what a leaf holds, whatever it is written in: JSON escapes what YAML writes as a block, and the annotation
// kubectl.kubernetes.io/last-applied-configuration is one of these.
func (f *fieldHasher) value(t *tree, n int32) uint64 {
	nd := &t.nodes[n]
	if nd.kind != scalarNode {
		return maphash.Bytes(seed, bytes.TrimSpace(t.raw(n))) &^ valueMask
	}
	b := t.text(n)
	if when, ok := parseTime(b); ok && when.Year() > 1970 && when.Year() < 2200 {
		return uint64(when.UnixNano())&^valueMask | valueTime
	}
	if v, ok := parseInt(b); ok && v > -1<<60 && v < 1<<60 {
		return uint64(v)<<2 | valueNumber
	}
	if nd.style == plain && len(b) == 0 {
		return nullValue
	}
	return maphash.Bytes(seed, bytes.TrimSpace(b)) &^ valueMask
}

// nullValue is the value of all ways to write null, which is no empty text.
const nullValue = 1 << 2

func (f *fieldHasher) word(t *tree, n int32) {
	const longest = 64
	if b := t.raw(n); t.nodes[n].kind == scalarNode && len(b) <= longest {
		h := f.value(t, n)
		if _, known := f.words[h]; !known && len(f.words) < maxNamesHere {
			f.words[h] = string(t.text(n))
		}
	}
}

// moment is a value that is a time.
func moment(v uint64) time.Time { return time.Unix(0, int64(v&^valueMask)).UTC() }

// show writes a value that is no hash; "" for one that is.
func show(v uint64) string {
	switch v & valueMask {
	case valueTime:
		return time.Unix(0, int64(v&^valueMask)).UTC().Round(time.Microsecond).Format(time.RFC3339Nano)
	case valueNumber:
		return strconv.FormatInt(int64(v)>>2, 10)
	}
	return ""
}
