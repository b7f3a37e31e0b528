package triage

import "sync/atomic"

// Progress counts what a Run has read so far. The zero value is ready; a nil *Progress counts nothing.
type Progress struct {
	Sources atomic.Int64 // found to be read
	Done    atomic.Int64 // read to their end
	Lines   atomic.Int64
	Dumps   atomic.Int64
}

func (p *Progress) found(sources int) {
	if p != nil {
		p.Sources.Add(int64(sources))
	}
}

func (p *Progress) done() {
	if p != nil {
		p.Done.Add(1)
	}
}

func (p *Progress) read(lines int) {
	if p != nil {
		p.Lines.Add(int64(lines))
	}
}

func (p *Progress) dump() {
	if p != nil {
		p.Dumps.Add(1)
	}
}
