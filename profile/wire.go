package profile

import (
	"errors"
	"fmt"
)

// Wire types of the protobuf encoding that a profile's fields have. Groups (3, 4) were never in pprof's schema.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var (
	errVarint = errors.New("a number is cut off or longer than 10 bytes")
	errShort  = errors.New("a field goes on past the end of its message")
)

// A field is one field of a message: val where it is a number, data where it is bytes.
type field struct {
	num  int
	wire int
	val  uint64
	data []byte
}

// A cursor walks over the fields of a message. It keeps the first error.
type cursor struct {
	buf []byte
	pos int
	err error
}

// uvarint reads a number at b[i:] and returns where the next byte is, -1 for none.
func uvarint(b []byte, i int) (v uint64, next int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	for shift := uint(0); shift < 70; shift += 7 {
		if i >= len(b) {
			return 0, -1
		}
		c := b[i]
		i++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
	return 0, -1
}

// next reads a field into f; false at the end and on an error.
func (c *cursor) next(f *field) bool {
	if c.err != nil || c.pos >= len(c.buf) {
		return false
	}
	tag, i := uvarint(c.buf, c.pos)
	if i < 0 {
		c.err = errVarint
		return false
	}
	f.num, f.wire = int(tag>>3&(1<<29-1)), int(tag&7)
	switch f.wire {
	case wireVarint:
		if f.val, i = uvarint(c.buf, i); i < 0 {
			c.err = errVarint
			return false
		}
	case wireBytes:
		n, j := uvarint(c.buf, i)
		if j < 0 {
			c.err = errVarint
			return false
		}
		if n > uint64(len(c.buf)-j) {
			c.err = errShort
			return false
		}
		i = j + int(n)
		f.data = c.buf[j:i:i]
	case wireFixed64, wireFixed32:
		n := 8
		if f.wire == wireFixed32 {
			n = 4
		}
		if len(c.buf)-i < n {
			c.err = errShort
			return false
		}
		i += n
	default:
		c.err = fmt.Errorf("field %d has wire type %d, which no profile has", f.num, f.wire)
		return false
	}
	c.pos = i
	return true
}

// number returns f's value where f is a number.
func (c *cursor) number(f *field) uint64 {
	if f.wire != wireVarint {
		c.fail(f)
		return 0
	}
	return f.val
}

// bytes returns f's value where f is a string or a message.
func (c *cursor) bytes(f *field) []byte {
	if f.wire != wireBytes {
		c.fail(f)
		return nil
	}
	return f.data
}

// fail notes that f is of another type than the schema says.
func (c *cursor) fail(f *field) {
	if c.err == nil {
		c.err = fmt.Errorf("field %d has wire type %d, not the schema's", f.num, f.wire)
	}
}

// numbers reads a message of which only numbers are wanted: field n into into[n-1], where that isn't nil.
func (c *cursor) numbers(into ...*uint64) {
	var f field
	for c.next(&f) {
		if f.num >= 1 && f.num <= len(into) && into[f.num-1] != nil {
			*into[f.num-1] = c.number(&f)
		}
	}
}

// appendNumbers appends a repeated number's values, packed or one by one.
func (c *cursor) appendNumbers(dst []uint64, f *field) []uint64 {
	if f.wire == wireVarint {
		return append(dst, f.val)
	}
	b := c.bytes(f)
	for i := 0; i < len(b); {
		var v uint64
		if v, i = uvarint(b, i); i < 0 {
			c.err = errVarint
			return dst
		}
		dst = append(dst, v)
	}
	return dst
}
