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
	errShort  = errors.New("a field extends past the end of its message")
	errType   = errors.New("type mismatch")
	errMany   = fmt.Errorf("it has a list of more than %d numbers", maxNumbers)
)

// A field is one field of a protobuf message.
type field struct {
	num    int32
	wire   uint8
	number uint64 // of a varint
	data   []byte // a string, a message, packed numbers, or the bytes of a varint
}

// nextField reads the first field of a message and returns what follows it.
func nextField(msg []byte) (f field, rest []byte, err error) {
	tag, n := uvarint(msg)
	if n <= 0 {
		return f, nil, errVarint
	}
	msg = msg[n:]
	f.num, f.wire = int32(tag>>3&(1<<29-1)), uint8(tag&7)
	size := uint64(0)
	switch f.wire {
	case wireVarint:
		if f.number, n = uvarint(msg); n <= 0 {
			return f, nil, errVarint
		}
		size = uint64(n)
	case wireBytes:
		if size, n = uvarint(msg); n <= 0 {
			return f, nil, errVarint
		}
		msg = msg[n:]
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	default:
		return f, nil, fmt.Errorf("field %d has wire type %d, which profiles don't use", f.num, f.wire)
	}
	if size > uint64(len(msg)) {
		return f, nil, errShort
	}
	f.data = msg[:size]
	return f, msg[size:], nil
}

// uvarint is binary.Uvarint with a shortcut for one byte, which most numbers have.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// numbersOf reads the fields of a message that has numbers only, by field: of several of one field the last counts, and
// those past the end of into, or with the number 0, are skipped.
func numbersOf(msg []byte, into []uint64) error {
	for len(msg) > 0 {
		f, rest, err := nextField(msg)
		if err != nil {
			return err
		}
		msg = rest
		if f.num == 0 || int(f.num) >= len(into) {
			continue
		}
		if f.wire != wireVarint {
			return errType
		}
		into[f.num] = f.number
	}
	return nil
}

// appendNumbers appends the values of a repeated number, packed or not.
func (f *field) appendNumbers(to []uint64) ([]uint64, error) {
	if f.wire != wireVarint && f.wire != wireBytes {
		return to, errType
	}
	for b := f.data; len(b) > 0; {
		v, n := uvarint(b)
		if n <= 0 {
			return to, errVarint
		}
		if len(to) == maxNumbers {
			return to, errMany
		}
		to = append(to, v)
		b = b[n:]
	}
	return to, nil
}
