package sources

import "sync/atomic"

// Progress counts what a Run has read so far. The zero value is ready; a nil *Progress counts nothing.
type Progress struct {
	Sources  atomic.Int64 // found to be read; those inside archives are found while they are read
	Done     atomic.Int64 // read to their end
	Lines    atomic.Int64
	Dumps    atomic.Int64
	Profiles atomic.Int64
	Findings atomic.Int64 // the rules look at all inputs together: they count when everything was read
	// Bytes are those read of the inputs as they lie on disk, of Total; Total is 0 where unknown, as of standard input.
	Bytes atomic.Int64
	Total atomic.Int64
}

// Found counts files that lie on disk and will be read.
func (p *Progress) Found(_ int, bytes int64) { p.Total.Add(bytes) }

// Read counts bytes read of them.
func (p *Progress) Read(bytes int) { p.Bytes.Add(int64(bytes)) }

// AddSource counts a source that was found.
func (p *Progress) AddSource() {
	if p != nil {
		p.Sources.Add(1)
	}
}

// EndSource counts a source that was read to its end.
func (p *Progress) EndSource() {
	if p != nil {
		p.Done.Add(1)
	}
}

// AddFindings counts findings.
func (p *Progress) AddFindings(n int) {
	if p != nil {
		p.Findings.Add(int64(n))
	}
}

func (p *Progress) addLines(n int) {
	if p != nil {
		p.Lines.Add(int64(n))
	}
}

func (p *Progress) addDump() {
	if p != nil {
		p.Dumps.Add(1)
	}
}

func (p *Progress) addProfile() {
	if p != nil {
		p.Profiles.Add(1)
	}
}
