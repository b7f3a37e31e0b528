package logpattern

// overTimeSlots is how many slots a pattern's lines are counted in: bars of a drawing that is a column of a table.
const overTimeSlots = 60

// leastShift makes the first slots 2^30 ns wide, about a second.
const leastShift = 30

// overTime counts lines in slots of time. Their width is a power of two of nanoseconds and doubles where the slots
// don't reach; a slot begins at a multiple of the width, so that the slots of all patterns of a log fit together.
type overTime struct {
	shift uint8 // a slot is 2^shift ns wide; 0 before the first line
	base  int64 // the first slot's number: it begins at base<<shift
	lines [overTimeSlots]uint32
}

func (o *overTime) add(t int64) {
	if o.shift == 0 {
		o.shift, o.base = leastShift, t>>leastShift
	}
	i := t>>o.shift - o.base
	if uint64(i) >= overTimeSlots {
		i = o.reach(t)
	}
	o.lines[i]++
}

// reach moves and doubles the slots until one of them holds t, and returns its index. The first slot is never empty, so
// that the width is the least for the lines' span.
func (o *overTime) reach(t int64) int64 {
	for {
		i := t>>o.shift - o.base
		if i >= 0 && i < overTimeSlots {
			return i
		}
		if last := o.last(); i < 0 && last-i < overTimeSlots {
			copy(o.lines[-i:], o.lines[:last+1])
			clear(o.lines[:-i])
			o.base += i
			return 0
		}
		o.double()
	}
}

// last is the index of the last slot with a line.
func (o *overTime) last() int64 {
	for i := overTimeSlots - 1; i > 0; i-- {
		if o.lines[i] > 0 {
			return int64(i)
		}
	}
	return 0
}

func (o *overTime) double() {
	var wide [overTimeSlots]uint32
	base := o.base >> 1
	for i, n := range o.lines {
		wide[(o.base+int64(i))>>1-base] += n
	}
	o.lines, o.base = wide, base
	o.shift++
}

// An axis is the slots that all patterns of a log have in common.
type axis struct {
	shift uint8
	base  int64
	slots int64
}

// axisOf is the finest axis of at most overTimeSlots from the first time to the last.
func axisOf(first, last int64) axis {
	a := axis{shift: leastShift}
	for last>>a.shift-first>>a.shift >= overTimeSlots {
		a.shift++
	}
	a.base = first >> a.shift
	a.slots = last>>a.shift - a.base + 1
	return a
}

// on returns the counts on an axis that the log's times span; nil for o nil. o is of no use afterwards.
func (o *overTime) on(a axis) []uint32 {
	if o == nil {
		return nil
	}
	for o.shift < a.shift {
		o.double()
	}
	out := make([]uint32, a.slots)
	for i, n := range o.lines {
		if at := o.base + int64(i) - a.base; n > 0 && at >= 0 && at < a.slots {
			out[at] = n
		}
	}
	return out
}
