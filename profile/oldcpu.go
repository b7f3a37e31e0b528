package profile

import (
	"encoding/binary"
	"errors"
	"math"
)

// An oldCPU is a binary CPU profile as gperftools and Go up to 1.8 wrote them, in words of 4 or 8 bytes: a header of five
// (0, 3, format, period in microseconds, 0), records of a count, a number of addresses and those, and a last record of
// the address 0. The machine's memory map follows as text.
type oldCPU struct {
	rest  []byte // behind the words that were read
	size  int    // of a word
	order binary.ByteOrder
	head  [5]uint64
}

func (o *oldCPU) next() (uint64, bool) {
	if len(o.rest) < o.size {
		return 0, false
	}
	w := o.rest[:o.size]
	o.rest = o.rest[o.size:]
	if o.size == 4 {
		return uint64(o.order.Uint32(w)), true
	}
	return o.order.Uint64(w), true
}

// oldCPUWords recognises such a profile by its header.
func oldCPUWords(data []byte) (o oldCPU, ok bool) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{4, 8} {
			o = oldCPU{rest: data, size: size, order: order}
			for i := range o.head {
				o.head[i], ok = o.next()
			}
			if h := o.head; ok && h[0] == 0 && h[1] == 3 && h[2] <= 1 && h[3] > 0 && h[4] == 0 {
				return o, true
			}
		}
	}
	return o, false
}

func readOldCPU(o oldCPU) (*Profile, error) {
	format, period := o.head[2], o.head[3]
	if format == 1 {
		return nil, errors.New("it is a Java program's, which has no Go functions")
	}
	if period > math.MaxInt64/1000/1000 {
		return nil, errors.New("its period is longer than a CPU lives")
	}
	b := newBuilder(0, 0)
	b.p.Types = []ValueType{{"samples", "count"}, {"cpu", "nanoseconds"}}
	b.p.Kind, b.p.Value = KindCPU, 1
	b.p.PeriodType, b.p.Period = b.p.Types[1], int64(period)*1000
	nameless := b.frame(Frame{Func: b.function(Function{})})
	var keys []int32
	for len(o.rest) > 0 {
		count, _ := o.next()
		depth, ok := o.next()
		if !ok || depth > uint64(len(o.rest)/o.size) {
			return nil, errors.New("it is cut off")
		}
		keys = keys[:0]
		var addr uint64
		for range depth {
			addr, _ = o.next()
			keys = append(keys, nameless)
		}
		if count == 0 && depth == 1 && addr == 0 {
			break
		}
		n := int64(min(count, math.MaxInt32))
		if err := b.stacks.add(keys, 0, []int64{n, n * b.p.Period}, n); err != nil {
			return nil, err
		}
	}
	return b.profile(nil)
}
