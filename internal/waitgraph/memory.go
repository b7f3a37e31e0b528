package waitgraph

import "github.com/gotriage/triage/stackparse"

// A Memory is what the graphs of several dumps share: functions taken apart, where stacks wait, and room. It changes no
// graph. The zero value is ready; a Memory is for one goroutine at a time.
type Memory struct {
	codes codes
	sites map[siteKey]site
	index map[objectKey]int32
	alone []single
	marks []uint8
}

// Bounds on what outlives a dump. A kubelet's dump has 1,500 functions in 400 stacks.
const (
	maxKnownCodes = 1 << 14
	maxKnownSites = 1 << 12
	maxKnownIndex = 1 << 12
	maxKnownMarks = 1 << 18
)

// A siteKey names a stack that dumps of one stream share, by its first frame. What is a lock's own method depends on
// what its goroutines wait for.
type siteKey struct {
	first *stackparse.Frame
	locks bool
}

// begin forgets what would take too much room, and makes tables.
func (m *Memory) begin() {
	if m.codes.all == nil || len(m.codes.all) > maxKnownCodes || len(m.codes.names) > maxKnownCodes {
		m.codes = codes{all: map[codeKey]*code{}, names: map[string]int32{"": 0}}
		m.sites = map[siteKey]site{}
	}
}

// siteOf is codes.siteOf, remembered.
func (m *Memory) siteOf(b *stackparse.Bucket) site {
	if len(b.Frames) == 0 {
		return m.codes.siteOf(b)
	}
	key := siteKey{&b.Frames[0], isLock(modes[b.Class].kind)}
	s, ok := m.sites[key]
	if !ok {
		s = m.codes.siteOf(b)
		if len(m.sites) < maxKnownSites {
			m.sites[key] = s
		}
	}
	return s
}

// lendIndex returns an empty table of objects; giveIndex takes it back.
func (m *Memory) lendIndex() map[objectKey]int32 {
	index := m.index
	m.index = nil
	if index == nil {
		return map[objectKey]int32{}
	}
	clear(index)
	return index
}

func (m *Memory) giveIndex(index map[objectKey]int32) {
	if len(index) <= maxKnownIndex {
		m.index = index
	}
}

// lendSingles returns room for singles; giveSingles takes it back.
func (m *Memory) lendSingles() []single {
	room := m.alone
	m.alone = nil
	return room[:0]
}

func (m *Memory) giveSingles(room []single) {
	if cap(room) <= maxKnownIndex {
		m.alone = room
	}
}

// lendMarks returns n marks that are 0, until it is called again.
func (m *Memory) lendMarks(n int) []uint8 {
	if n > maxKnownMarks {
		return make([]uint8, n)
	}
	if n > cap(m.marks) {
		m.marks = make([]uint8, n)
	}
	marks := m.marks[:n]
	clear(marks)
	return marks
}
