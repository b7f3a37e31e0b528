package declared

import (
	"errors"
	"math"
	"reflect"
)

// errBlob is the error of a blob that does not hold the value asked for.
var errBlob = errors.New("not a blob of this type")

// A blobReader reads a value from a blob, which holds
//
//	how many strings there are, the length of each, and then their bytes
//	the value: a string is its index, a list its length and its elements, a map its length and its keys with their
//	values in order of keys, a struct a set of bits for its fields that are not zero and then those fields
//
// All numbers are varints, those of floats their bits. Equal values make equal blobs, and each string is held once.
// Strings that were read share the blob's memory.
type blobReader struct {
	data    string // what is left
	strings []string
	failed  bool
}

// readBlob reads the value of a blob into a pointer.
func readBlob(data string, into any) error {
	r := &blobReader{data: data}
	lengths := make([]int, r.length())
	for i := range lengths {
		lengths[i] = r.length()
	}
	r.strings = make([]string, len(lengths))
	for i, n := range lengths {
		if n > len(r.data) {
			return errBlob
		}
		r.strings[i], r.data = r.data[:n], r.data[n:]
	}
	if r.value(reflect.ValueOf(into).Elem()); r.failed || r.data != "" {
		return errBlob
	}
	return nil
}

// fail ends the reading: what follows is zero.
func (r *blobReader) fail() { r.failed, r.data = true, "" }

// number reads a number.
func (r *blobReader) number() uint64 {
	var n uint64
	for i := range len(r.data) {
		c := r.data[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.data = r.data[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

// length reads how many there are of what takes a byte or more each.
func (r *blobReader) length() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.fail()
		return 0
	}
	return int(n)
}

// list reads a list of strings: most of what the blob holds.
func (r *blobReader) list() []string {
	list := make([]string, r.length())
	for i := range list {
		list[i] = r.string()
	}
	return list
}

// string reads a string.
func (r *blobReader) string() string {
	i := r.number()
	if i >= uint64(len(r.strings)) {
		r.fail()
		return ""
	}
	return r.strings[i]
}

// value reads v.
func (r *blobReader) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.string())
	case reflect.Bool:
		v.SetBool(r.number() != 0)
	case reflect.Int:
		v.SetInt(int64(r.number()))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(r.number()))
	case reflect.Slice:
		if list, ok := v.Addr().Interface().(*[]string); ok {
			*list = r.list()
			return
		}
		n := r.length()
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			r.value(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.length() {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.value(key)
			r.value(elem)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		fields := r.number()
		for i := range v.NumField() {
			if fields&(1<<i) != 0 {
				r.value(v.Field(i))
			}
		}
		if fields>>v.NumField() != 0 {
			r.fail()
		}
	default:
		r.fail()
	}
}
