package profile

import (
	"encoding/binary"
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

// A field is one field of a protobuf message.
type field struct {
	num  int
	end  int    // position of the next field
	data []byte // of a string, a message or packed numbers; nil for a number
}

// fieldAt reads the field at a position of a message.
func fieldAt(buf []byte, at int) (field, error) {
	tag, n := binary.Uvarint(buf[at:])
	if n <= 0 {
		return field{}, errVarint
	}
	f := field{num: int(tag >> 3 & (1<<29 - 1)), end: at + n}
	size := uint64(0)
	switch tag & 7 {
	case wireVarint:
		if _, n = binary.Uvarint(buf[f.end:]); n <= 0 {
			return f, errVarint
		}
		size = uint64(n)
	case wireBytes:
		if size, n = binary.Uvarint(buf[f.end:]); n <= 0 {
			return f, errVarint
		}
		f.end += n
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	default:
		return f, fmt.Errorf("field %d has wire type %d, which no profile has", f.num, tag&7)
	}
	if size > uint64(len(buf)-f.end) {
		return f, errShort
	}
	from := f.end
	f.end += int(size)
	if tag&7 == wireBytes {
		f.data = buf[from:f.end]
	}
	return f, nil
}

// numbers counts the values of a repeated number, packed or not.
func (f field) numbers() int {
	if f.data == nil {
		return 1
	}
	n := 0
	for _, b := range f.data {
		if b < 0x80 {
			n++
		}
	}
	return n
}
