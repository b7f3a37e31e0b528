package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// readSample counts a sample.
func (d *decoder) readSample(msg []byte) error {
	d.ids, d.numbers, d.labelled = d.ids[:0], d.numbers[:0], d.labelled[:0]
	for len(msg) > 0 {
		f, rest, err := nextField(msg)
		if err != nil {
			return err
		}
		switch f.num {
		case sampleLocation:
			d.ids, err = f.appendNumbers(d.ids)
		case sampleValue:
			d.numbers, err = f.appendNumbers(d.numbers)
		case sampleLabel:
			if f.wire != wireBytes {
				err = errType
			}
			d.labelled = binary.AppendUvarint(d.labelled, uint64(len(f.data)))
			d.labelled = append(d.labelled, f.data...)
		}
		if err != nil {
			return err
		}
		msg = rest
	}
	switch types := len(d.profile.Types); {
	case types == 0:
		return errors.New("missing sample type information")
	case len(d.numbers) != types:
		return fmt.Errorf("mismatch: sample has %d values vs. %d types", len(d.numbers), types)
	}
	d.values, d.keys = d.values[:0], d.keys[:0]
	for _, n := range d.numbers {
		d.values = append(d.values, int64(n))
	}
	for _, id := range d.ids {
		site, ok := d.locations.get(id)
		if !ok {
			return errors.New("sample has nil location")
		}
		d.keys = append(d.keys, site)
	}
	label, err := d.labelSet()
	if err != nil {
		return err
	}
	return d.stacks.add(d.keys, label, d.values, d.samples.of(d.values))
}

// labelSet interns the labels of the sample under way. Those that the file has in the same bytes are read once.
func (d *decoder) labelSet() (int32, error) {
	if len(d.labelled) == 0 {
		return 0, nil
	}
	if i, ok := d.labelsOf[string(d.labelled)]; ok {
		return i, nil
	}
	var set []string
	for rest := d.labelled; len(rest) > 0; {
		size, n := binary.Uvarint(rest)
		end := n + int(size)
		pair, err := d.label(rest[n:end])
		if err != nil {
			return 0, err
		}
		if pair != "" {
			set = append(set, pair)
		}
		rest = rest[end:]
	}
	i := d.labels(set)
	if len(d.labelsOf) < maxLabelSets {
		d.labelsOf[string(d.labelled)] = i
	}
	return i, nil
}

// label returns "key: value" of a label, "" for none. The size of a heap profile's objects, its label "bytes", is left
// out: it would separate equal stacks.
func (d *decoder) label(msg []byte) (string, error) {
	var n [labelUnit + 1]uint64
	if err := numbersOf(msg, n[:]); err != nil {
		return "", err
	}
	s, err := d.strings(n[:], labelKey, labelText, labelUnit)
	if err != nil {
		return "", err
	}
	key, value, unit := s[0], s[1], s[2]
	isText := n[labelText] != 0
	if !isText && (key == "bytes" || n[labelNumber] == 0 && n[labelUnit] == 0) {
		return "", nil
	}
	d.labelSum += labelCost + len(key) + len(value) + len(unit)
	switch {
	case d.labelSum > maxLabelBytes:
		return "", nil
	case isText:
		return key + ": " + value, nil
	case unit != "":
		unit = " " + unit
	}
	return key + ": " + strconv.FormatInt(int64(n[labelNumber]), 10) + unit, nil
}
