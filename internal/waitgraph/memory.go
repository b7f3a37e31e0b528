package waitgraph

import "github.com/gotriage/triage/stackparse"

// A Memory is what the graphs of several dumps share: functions taken apart, and where stacks wait. It changes no
// graph. The zero value is ready; a Memory is for one goroutine at a time.
type Memory struct {
	codes codes
	sites map[siteKey]site
}

// Bounds on what outlives a dump: a memory that takes more room begins anew. A kubelet's dump has 1,500 functions in
// 400 stacks.
const (
	maxKnownCodes = 1 << 14
	maxKnownSites = 1 << 12
)

// A siteKey names a stack that dumps of one stream share, by its first frame. What is a lock's own method depends on
// what its goroutines wait for.
type siteKey struct {
	first *stackparse.Frame
	locks bool
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
