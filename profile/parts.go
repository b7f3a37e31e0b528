package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Field numbers of proto/profile.proto, message Profile and the messages in it.
const (
	profileSampleType = 1
	profileSample     = 2
	profileMapping    = 3
	profileLocation   = 4
	profileFunction   = 5
	profileString     = 6
	profileComment    = 13
	profileFields     = 15 // the last one that has a meaning

	sampleLabel  = 3
	locationLine = 4
)

// What google/pprof/profile and this package's conversion allocate for one of each, in bytes: sizes of structs, of
// their places in slices that grow by doubling, and of the maps that find them by id. Measured with a million of each.
const (
	typeCost     = 200
	mappingCost  = 300
	locationCost = 400
	lineCost     = 120
	functionCost = 400
	stringCost   = 64
	commentCost  = 64
	sampleCost   = 180
	numberCost   = 24   // location ids and values of a sample
	labelCost    = 320  // of a sample
	labelledCost = 1024 // of a sample with any: three maps
)

// Bounds on what a protobuf may take once it is parsed. A profile of a few MB may hold millions of empty messages, each
// of which becomes 100 to 1,000 bytes. Of 400 real profiles the largest weighs 14 MB in tables and 90 MB in samples.
const (
	// maxTables is how many bytes all but the samples may take.
	maxTables = 192 << 20
	// maxPart is how many bytes the samples that are parsed at a time may take.
	maxPart = 64 << 20
	// maxParsed is how many bytes all parts may take, one after the other: each has the tables again.
	maxParsed = 4 << 30
	// maxGrowth is more than weigh makes of any byte: a sample with an empty label, four bytes, counts 1,526.
	maxGrowth = 400
)

var errTables = fmt.Errorf("its tables would take more than %d MiB", maxTables>>20)

// parts calls parse with a profile's protobuf, cut into several that have the same tables and some of the samples each
// where the whole would take too much memory at once.
func parts(data []byte, parse func(part []byte) error) error {
	if len(data) <= maxPart/maxGrowth { // whatever it holds, it takes no more than a part may
		err := parse(data)
		if err != nil {
			if _, _, fault := weigh(data); fault != nil {
				return fault // it says where
			}
		}
		return err
	}
	tables, samples, err := weigh(data)
	switch {
	case err != nil:
		return err
	case tables > maxTables:
		return errTables
	case samples/maxPart*tables+samples > maxParsed:
		return fmt.Errorf("its samples would take more than %d MiB", maxParsed>>20)
	case samples <= maxPart:
		return parse(data)
	}
	c := cutter{parse: parse}
	if err := eachField(data, c.table); err != nil {
		return err
	}
	c.tables = len(c.part)
	if err := eachField(data, c.sample); err != nil {
		return err
	}
	return c.parse(c.part)
}

// A cutter puts a part together: the tables, then samples until their weight is that of a part.
type cutter struct {
	parse  func([]byte) error
	part   []byte
	tables int // length of the tables in part
	weight int // of the samples in part
}

func (c *cutter) table(f field, raw []byte) error {
	if f.num != profileSample && f.num <= profileFields {
		c.part = append(c.part, raw...)
	}
	return nil
}

func (c *cutter) sample(f field, raw []byte) error {
	if f.num != profileSample {
		return nil
	}
	w, err := sampleWeight(f.data)
	if err != nil {
		return err
	}
	if w > maxPart {
		return errors.New("one of its samples is too large")
	}
	if c.weight+w > maxPart {
		if err := c.parse(c.part); err != nil {
			return err
		}
		c.part, c.weight = c.part[:c.tables], 0
	}
	c.part = append(c.part, raw...)
	c.weight += w
	return nil
}

// weigh estimates how many bytes a profile takes once it is parsed.
func weigh(data []byte) (tables, samples int, err error) {
	costs := [profileFields + 1]int{
		profileSampleType: typeCost, profileMapping: mappingCost, profileLocation: locationCost,
		profileFunction: functionCost, profileString: stringCost,
	}
	err = eachField(data, func(f field, _ []byte) error {
		if f.num <= profileFields {
			tables += costs[f.num]
		}
		switch f.num {
		case profileSample:
			w, err := sampleWeight(f.data)
			samples += w
			return err
		case profileLocation:
			return eachField(f.data, func(f field, _ []byte) error {
				if f.num == locationLine {
					tables += lineCost
				}
				return nil
			})
		case profileString:
			tables += len(f.data)
		case profileComment:
			tables += commentCost * f.numbers()
		}
		return nil
	})
	return tables, samples, err
}

// sampleWeight is weigh for one sample.
func sampleWeight(b []byte) (int, error) {
	w, labels := sampleCost+len(b), 0
	err := eachField(b, func(f field, _ []byte) error {
		if f.num == sampleLabel {
			labels++
		} else if f.num < sampleLabel {
			w += numberCost * f.numbers()
		}
		return nil
	})
	if labels > 0 {
		w += labelledCost + labels*labelCost
	}
	return w, err
}

// eachField calls do with each field of a message and its bytes, tag included.
func eachField(buf []byte, do func(f field, raw []byte) error) error {
	for at := 0; at < len(buf); {
		f, err := fieldAt(buf, at)
		if err != nil {
			return fmt.Errorf("byte %d: %w", at, err)
		}
		if err := do(f, buf[at:f.end]); err != nil {
			return err
		}
		at = f.end
	}
	return nil
}

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
