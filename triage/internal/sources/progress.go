package sources

import "sync/atomic"

// Progress counts what a Run has read so far. The zero value is ready.
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
