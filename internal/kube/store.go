package kube

import (
	"cmp"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// defaultLimit is how much the records of one run may take: 17,000 pods of an OpenShift must-gather (470 pods, 3.9 kB
// each), 42,000 with one container (1.6 kB), both measured. The collector lets the heap grow to twice of it, which is
// half of the 256 MB that a bundle of 2 GB may cost.
const defaultLimit = 64 << 20

// maxNames bounds the names of distinct fields and list keys that are kept: a must-gather with 89 kinds has 14,900
// names of fields and 2,000 list keys (measured).
const maxNames = 1 << 18

// seed is that of all hashes here.
var seed = maphash.MakeSeed()

// A Store is what the readers of one run share: how many bytes they may keep, and the names of fields.
type Store struct {
	// Labels keeps the labels and annotations of all objects, for rules that ask for them. It is set before the first
	// read.
	Labels bool

	left atomic.Int64

	mu    sync.Mutex
	names map[uint64]pathName
	words map[uint64]string
}

// A pathName is the last step of a path to a field: a key, or the index of a list's entry.
type pathName struct {
	parent uint64
	key    string
	index  int32 // -1 for a key
}

// NewStore returns the store of one run, with records of at most that many bytes; 0 means defaultLimit.
func NewStore(limit int64) *Store {
	s := &Store{names: map[uint64]pathName{}, words: map[uint64]string{}}
	s.left.Store(cmp.Or(limit, defaultLimit))
	return s
}

func (s *Store) take(n int) bool {
	if s.left.Add(-int64(n)) >= 0 {
		return true
	}
	s.left.Add(int64(n))
	return false
}

func (s *Store) learn(names map[uint64]pathName, words map[uint64]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h, n := range names {
		if _, known := s.names[h]; !known && len(s.names) < maxNames && s.take(64+len(n.key)) {
			s.names[h] = n
		}
	}
	for h, w := range words {
		if _, known := s.words[h]; !known && len(s.words) < maxNames && s.take(48+len(w)) {
			s.words[h] = w
		}
	}
}
