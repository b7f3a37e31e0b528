package ingest

import "encoding/binary"

// Wire types of the protobuf encoding.
const (
	wireVarint = 0
	wireBytes  = 2
)

// profileWire is the wire type of each field of perftools.profiles.Profile (google/pprof, proto/profile.proto),
// indexed by field number; packed repeated numbers are bytes too.
var profileWire = [...]int8{0: -1, 1: wireBytes, 2: wireBytes, 3: wireBytes, 4: wireBytes, 5: wireBytes, 6: wireBytes,
	7: wireVarint, 8: wireVarint, 9: wireVarint, 10: wireVarint, 11: wireBytes, 12: wireVarint, 13: wireVarint,
	14: wireVarint, 15: wireVarint}

// lastField is the highest number of a field that a profile may have: a later schema may add some behind its 15.
const lastField = 31

// fits reports whether a field has a number and a wire type that a profile may have.
func fits(num, wire int) bool {
	switch {
	case num == 0 || num > lastField:
		return false
	case num >= len(profileWire):
		return wire == wireVarint || wire == wireBytes
	}
	return int(profileWire[num]) == wire || num == 13 && wire == wireBytes
}

// IsProfile reports whether head, the first bytes of a file once decompressed (whole where these are all), is a pprof
// profile in its binary form: every field has a number and type of the schema, or of one that it may become, and there
// is a sample type whose fields are two numbers.
func IsProfile(head []byte, whole bool) bool {
	types, fields := 0, 0
	for len(head) > 0 {
		num, wire, n := wireTag(head)
		if n == 0 {
			break
		}
		if !fits(num, wire) {
			return false
		}
		head = head[n:]
		v, n := binary.Uvarint(head)
		if n < 0 {
			return false
		}
		if n == 0 {
			break
		}
		head = head[n:]
		fields++
		if wire == wireVarint {
			continue
		}
		if v > uint64(len(head)) {
			// What is cut by the end of the sample is fine; a file's own end is not.
			return !whole && types > 0 && fields > 1
		}
		if num == 1 {
			if !isValueType(head[:v]) {
				return false
			}
			types++
		}
		if num == 6 && fields > 1 && v > 0 && types == 0 {
			return false
		}
		head = head[v:]
	}
	return types > 0 && (fields > 1 || len(head) == 0)
}

// isValueType accepts a ValueType: fields 1 and 2, both numbers.
func isValueType(b []byte) bool {
	for len(b) > 0 {
		num, wire, n := wireTag(b)
		if n == 0 || wire != wireVarint || num < 1 || num > 2 {
			return false
		}
		_, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return false
		}
		b = b[n+m:]
	}
	return true
}

// wireTag reads a field's tag; n is 0 where there is none.
func wireTag(b []byte) (num, wire, n int) {
	v, n := binary.Uvarint(b)
	if n <= 0 || v>>3 > 1<<20 {
		return 0, 0, 0
	}
	return int(v >> 3), int(v & 7), n
}
