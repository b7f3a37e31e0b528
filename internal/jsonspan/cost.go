package jsonspan

import (
	"bytes"
	"cmp"
	"reflect"
	"strings"
)

// A Shape is how encoding/json decodes values into one Go type, as far as it decides how much memory they take. Types
// with methods for decoding, maps and interfaces have none.
type Shape struct {
	kind    reflect.Kind
	size    int64   // of a value of the type
	element *Shape  // of a slice or pointer
	fields  []field // of a struct
}

type field struct {
	name  []byte
	shape *Shape
}

// ShapeOf returns the shape of a type that neither contains itself nor embeds another.
func ShapeOf(t reflect.Type) *Shape {
	s := &Shape{kind: t.Kind(), size: int64(t.Size())}
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		s.element = ShapeOf(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || !f.IsExported() {
				continue
			}
			name = cmp.Or(name, f.Name)
			s.fields = append(s.fields, field{[]byte(name), ShapeOf(f.Type)})
		}
	}
	return s
}

// Cost estimates how many bytes encoding/json allocates for the value of this shape that begins at b[i], apart from
// those of the type itself, and returns the position behind it. Slices count as they grow, strings with what the
// allocator rounds up; what growing leaves behind for the collector does not count.
func (s *Shape) Cost(b []byte, i int) (cost int64, end int) {
	switch s.kind {
	case reflect.String:
		if end = SkipValue(b, i); end > i && b[i] == '"' {
			cost = allocated(int64(end - i - 2))
		}
		return cost, end
	case reflect.Pointer:
		cost, end = s.element.Cost(b, i)
		return cost + allocated(s.element.size), end
	case reflect.Slice:
		n := int64(0)
		end = EachElement(b, i, func(at int) int {
			n++
			c, end := s.element.Cost(b, at)
			cost += c
			return end
		})
		return cost + allocated(grown(n)*s.element.size), end
	case reflect.Struct:
		end = EachMember(b, i, func(key []byte, v int) int {
			f := s.field(key)
			if f == nil {
				return SkipValue(b, v)
			}
			c, end := f.Cost(b, v)
			cost += c
			return end
		})
		return cost, end
	}
	return 0, SkipValue(b, i)
}

// field is the shape of the field that a member is decoded into, in any case of letters; nil for none.
func (s *Shape) field(key []byte) *Shape {
	if bytes.IndexByte(key, '\\') >= 0 {
		key = AppendUnquoted(nil, key)
	}
	for i := range s.fields {
		if bytes.EqualFold(s.fields[i].name, key) {
			return s.fields[i].shape
		}
	}
	return nil
}

// grown is how many elements a slice has room for that append made of n single ones: Go doubles up to 256 and adds a
// fourth, and 192, above.
func grown(n int64) int64 {
	have := int64(0)
	for have < n {
		if have < 256 {
			have = max(1, 2*have)
		} else {
			have += (have + 3*256) / 4
		}
	}
	return have
}

// allocated is what n bytes take of the heap: Go's classes of sizes waste an eighth at most, and 8 bytes of the
// smallest.
func allocated(n int64) int64 {
	if n == 0 {
		return 0
	}
	return n + n/8 + 8
}
