package stackparse

// A debug=1 profile lists the addresses of all frames and leaves out the lines of the runtime's own at the leaf. A
// goroutine that waits for a channel shows nothing else of its wait:
//
//	gopark  chansend  chansend1  main.publish      three addresses without a line: an operation on a channel
//	gopark  selectgo  main.dispatch                two: a select
//
// How far the second address is from the third identifies the operation in each release: see parkedRow. The first one
// is the same in all of them.

// A parkedRow is one distance that was read from the code of some releases; tools/parkpcs makes the table.
type parkedRow struct {
	class    Class // ClassChanSend, ClassChanReceive, ClassNilChan
	distance uint64
	builds   uint64 // a bit for each build that has it
}

// A parked is what one record of a profile shows about its wait: the addresses in front of the first frame that is
// named.
type parked struct {
	bucket *Bucket
	hidden [3]uint64
	n      int // how many there are; only the first three are kept
}

func (p *parked) distance() uint64 { return p.hidden[1] - p.hidden[2] }

// inGopark reports whether the first address is gopark's for sure: the runtime parks the goroutine below a function
// that is named, gopark alone in time.Sleep, gopark and netpollblock in a wait for a connection.
func (p *parked) inGopark() bool {
	switch p.bucket.Frames[0].Func {
	case "time.Sleep":
		return p.n == 1
	case "internal/poll.runtime_pollWait":
		return p.n == 2
	}
	return false
}

// setParked gives the buckets of a counted profile the class of the operations that their goroutines are parked in. A
// distance may mean a send in one release and a receive in another: the builds that explain most records decide, and
// where they disagree the class stays unknown.
func setParked(all []parked) {
	gopark := map[uint64]bool{}
	unknown := all[:0]
	for _, p := range all {
		switch {
		case p.bucket.Class == ClassOther:
			unknown = append(unknown, p)
		case p.inGopark():
			gopark[p.hidden[0]] = true
		}
	}
	all = unknown
	builds := likelyBuilds(all)
	for _, p := range all {
		if p.n != 3 {
			continue
		}
		if class := parkedClass(p.distance(), builds); class != ClassOther {
			p.bucket.Class = class
			gopark[p.hidden[0]] = true
		}
	}
	for _, p := range all {
		if p.n == 2 && gopark[p.hidden[0]] {
			p.bucket.Class = ClassSelect
		}
	}
}

// likelyBuilds is the set of builds that explain most of the records.
func likelyBuilds(all []parked) (builds uint64) {
	var votes [parkedBuilds]int
	possible := ^uint64(0)
	for i := range all {
		p := &all[i]
		if p.n != 3 {
			continue
		}
		if (p.hidden[0]|p.hidden[1]|p.hidden[2])%4 != 0 {
			possible = ^uint64(parkedARM)
		}
		for _, row := range parkedTable {
			if row.distance != p.distance() {
				continue
			}
			for b := range votes {
				votes[b] += int(row.builds >> b & 1)
			}
		}
	}
	most := 1
	for b, n := range votes {
		switch bit := uint64(1) << b; {
		case possible&bit == 0 || n < most:
		case n > most:
			most, builds = n, bit
		default:
			builds |= bit
		}
	}
	return builds
}

// parkedClass is the class of a distance in some builds, ClassOther where none has it or they disagree.
func parkedClass(distance, builds uint64) Class {
	class := ClassOther
	for _, row := range parkedTable {
		if row.distance != distance || row.builds&builds == 0 {
			continue
		}
		if class != ClassOther && class != row.class {
			return ClassOther
		}
		class = row.class
	}
	return class
}
