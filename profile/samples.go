package profile

import (
	"fmt"
	"strconv"
)

// readSamples is the second walk.
func (d *decoder) readSamples(ids idTable) error {
	d.stacks.reserve(d.samples, d.size/2, len(d.p.Types))
	r := sampleReader{decoder: d, ids: ids, sets: map[string]int32{"": 0}}
	c := cursor{buf: d.buf}
	var f field
	for c.next(&f) {
		if f.num != profileSample {
			continue
		}
		if err := r.read(c.bytes(&f)); err != nil {
			return fmt.Errorf("sample %d: %w", r.n, err)
		}
		r.n++
	}
	return c.err
}

// A sampleReader reads samples. Its slices are used again for each.
type sampleReader struct {
	*decoder
	ids    idTable
	n      int
	sites  []int32
	nums   []uint64
	values []int64
	labels []byte // the labels' bytes as they stand
	parts  [][]byte
	sets   map[string]int32
}

func (r *sampleReader) read(b []byte) error {
	r.sites, r.values, r.labels, r.parts = r.sites[:0], r.values[:0], r.labels[:0], r.parts[:0]
	c := cursor{buf: b}
	var f field
	for c.next(&f) {
		switch f.num {
		case 1:
			r.nums = c.appendNumbers(r.nums[:0], &f)
			for _, id := range r.nums {
				site, ok := r.ids.get(id)
				if !ok {
					return fmt.Errorf("it names location %d, which is not there", id)
				}
				r.sites = append(r.sites, site)
			}
		case 2:
			r.nums = c.appendNumbers(r.nums[:0], &f)
			for _, v := range r.nums {
				r.values = append(r.values, int64(v))
			}
		case 3:
			r.labels = append(append(r.labels, c.bytes(&f)...), 0xff)
			r.parts = append(r.parts, f.data)
		}
	}
	if c.err != nil {
		return c.err
	}
	if len(r.values) != len(r.p.Types) {
		return fmt.Errorf("it has %d values, the profile %d types", len(r.values), len(r.p.Types))
	}
	label, ok := r.sets[string(r.labels)]
	if !ok {
		var err error
		if label, err = r.label(); err != nil {
			return err
		}
	}
	return r.stacks.add(r.sites, label, r.values, r.count.of(r.values))
}

// label interns the labels of a sample. The size of a heap profile's objects, its label "bytes", is none: it would tell
// equal stacks apart.
func (r *sampleReader) label() (int32, error) {
	var set []string
	var err error
	for _, b := range r.parts {
		c := cursor{buf: b}
		var f field
		var key, str, unit uint64
		var num int64
		for c.next(&f) {
			switch f.num {
			case 1:
				key = c.number(&f)
			case 2:
				str = c.number(&f)
			case 3:
				num = int64(c.number(&f))
			case 4:
				unit = c.number(&f)
			}
		}
		if c.err != nil {
			return 0, fmt.Errorf("label: %w", c.err)
		}
		k := r.str(key, &err)
		switch {
		case str != 0:
			set = append(set, k+": "+r.str(str, &err))
		case k != "bytes" && (num != 0 || unit != 0):
			value := strconv.FormatInt(num, 10)
			if u := r.str(unit, &err); u != "" {
				value += " " + u
			}
			set = append(set, k+": "+value)
		}
	}
	label := r.decoder.labels(set)
	if len(r.sets) < maxLabelSets {
		r.sets[string(r.labels)] = label
	}
	return label, err
}
