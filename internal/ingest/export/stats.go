package export

import (
	"bytes"
	"hash/maphash"
)

const (
	// maxDistinct bounds the different values of a member that are counted.
	maxDistinct = 4096
	// sampleText is how much of a value a sample reads.
	sampleText = 256 << 10
)

// A valueCount is what a sample shows about the values of one place.
type valueCount struct {
	begun                int // of an element: how many there are
	seen, strings, bytes int
	headers, places      int // of tracebacks
	apart                int // values that are one header or place
	loglike, spaced      int
	distinct             map[uint64]bool
	times                int
	clock                clock
	last                 int64
	rises, falls         int
}

// A sampler counts.
type sampler struct {
	tree   *tree
	counts []*valueCount // by node
	seed   maphash.Seed
	strays int
	roots  int
}

func newSampler(t *tree) *sampler { return &sampler{tree: t, seed: maphash.MakeSeed()} }

func (s *sampler) of(n *node) *valueCount {
	for len(s.counts) <= n.id {
		s.counts = append(s.counts, &valueCount{})
	}
	return s.counts[n.id]
}

func (s *sampler) begin(n *node, _ int64) {
	s.of(n).begun++
	if n.parent == nil {
		s.roots++
	}
}

func (s *sampler) end(*node) {}

func (s *sampler) stray([]byte, int64, bool) { s.strays++ }

func (s *sampler) done() bool { return false }

func (s *sampler) value(n *node, text []byte, isString, _ bool) {
	c := s.of(n)
	c.seen++
	if at, ok := c.clock.read(text); ok {
		switch {
		case c.times == 0:
		case at > c.last:
			c.rises++
		case at < c.last:
			c.falls++
		}
		c.times++
		c.last = at
	}
	if !isString {
		return
	}
	c.strings++
	c.bytes += len(text)
	h, p := countParts(text)
	c.headers += h
	c.places += p
	if h+p == 1 && bytes.IndexByte(bytes.TrimRight(text, "\r\n"), '\n') < 0 {
		c.apart++
	}
	if isLogLine(text) {
		c.loglike++
	}
	if bytes.Count(text[:min(len(text), 256)], []byte{' '}) >= 2 {
		c.spaced++
	}
	if len(c.distinct) < maxDistinct {
		if c.distinct == nil {
			c.distinct = make(map[uint64]bool)
		}
		c.distinct[maphash.Bytes(s.seed, text)] = true
	}
}
