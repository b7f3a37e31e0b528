package sources

// maxSpans bounds a coverage: 16 bytes each, so at most 1 MiB a source. A log with more dumps than that counts the
// rest to the part in which the last span begins; only the kind of a rotated log's later parts could suffer.
const maxSpans = 1 << 16

// A coverage reports which lines of a source lie inside dumps. Spans come in order of their end within one stream.
type coverage struct {
	spans []span
}

type span struct {
	first, lines int64
}

func (c *coverage) add(first, last int64) {
	n := last - first + 1
	if n <= 0 {
		return
	}
	if k := len(c.spans) - 1; k >= 0 && (k+1 >= maxSpans || c.spans[k].first+c.spans[k].lines == first) {
		c.spans[k].lines += n
		return
	}
	c.spans = append(c.spans, span{first, n})
}

// lines counts the covered lines from first up to and without end; end -1 means no end. Spans of interleaved streams
// may overlap and then count twice.
func (c *coverage) lines(first, end int64) int64 {
	var n int64
	for _, s := range c.spans {
		from, to := max(s.first, first), s.first+s.lines
		if end >= 0 {
			to = min(to, end)
		}
		if to > from {
			n += to - from
		}
	}
	return n
}
