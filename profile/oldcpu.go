package profile

import (
	"encoding/binary"
	"errors"
	"math"
)

// A wordReader reads the words of a binary CPU profile as gperftools and Go up to 1.8 wrote them: a header of five
// words (0, 3, format, period in microseconds, 0), records of a count, a number of addresses and those, and a last
// record of the address 0. The machine's memory map follows as text.
type wordReader struct {
	buf   []byte
	size  int
	order binary.ByteOrder
}

func (r *wordReader) next() (uint64, bool) {
	if len(r.buf) < r.size {
		return 0, false
	}
	w := r.buf[:r.size]
	r.buf = r.buf[r.size:]
	if r.size == 4 {
		return uint64(r.order.Uint32(w)), true
	}
	return r.order.Uint64(w), true
}

// oldCPUWords recognises such a profile by its header.
func oldCPUWords(data []byte) (wordReader, bool) {
	for _, r := range []wordReader{
		{size: 4, order: binary.LittleEndian}, {size: 4, order: binary.BigEndian},
		{size: 8, order: binary.LittleEndian}, {size: 8, order: binary.BigEndian},
	} {
		r.buf = data
		var head [5]uint64
		ok := true
		for i := range head {
			head[i], ok = r.next()
		}
		if ok && head[0] == 0 && head[1] == 3 && head[2] <= 1 && head[3] > 0 && head[4] == 0 {
			return r, true
		}
	}
	return wordReader{}, false
}

func readOldCPU(data []byte, r wordReader) (*Profile, error) {
	head := wordReader{buf: data[2*r.size:], size: r.size, order: r.order}
	format, _ := head.next()
	period, _ := head.next()
	if format == 1 {
		return nil, errors.New("it is a Java program's, which has no Go functions")
	}
	if period > math.MaxInt64/1000/1000 {
		return nil, errors.New("its period is longer than a CPU lives")
	}
	b := newBuilder(0, 0)
	b.p.Types = []ValueType{{"samples", "count"}, {"cpu", "nanoseconds"}}
	b.p.Kind, b.p.Value = KindCPU, 1
	b.p.PeriodType = ValueType{"cpu", "nanoseconds"}
	b.p.Period = int64(period) * 1000
	nameless := b.frame(Frame{Func: b.function(Function{})})
	var keys []int32
	for len(r.buf) > 0 {
		count, _ := r.next()
		depth, ok := r.next()
		if !ok || depth > uint64(len(r.buf)/r.size) {
			return nil, errors.New("it is cut off")
		}
		keys = keys[:0]
		var addr uint64
		for range depth {
			addr, _ = r.next()
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
	p, err := b.finish(nil)
	if err != nil {
		return nil, err
	}
	p.conclude()
	return p, nil
}
