package open

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// Limits are the caps that keep a hostile or endless input from taking the machine. What exceeds one is a Skip. The
// zero value of each means the default that it names.
type Limits struct {
	// MaxBlob bounds the bytes of a binary input, decompressed: 96 MiB. Profiles have a lower limit of their own.
	MaxBlob int64
	// MaxLine bounds the bytes of a line's text that are kept: 4 MiB. An API server logs a LIST of 440 pods in one line
	// of 1.2 MB.
	MaxLine int
	// MaxDepth bounds archives within archives: 8. A support bundle's node archive holds a supportconfig with
	// compressed logs, which is four.
	MaxDepth int
	// MaxEntries bounds the files across folders and archives together: 200,000. A large support bundle has some 20,000
	// files, a must-gather 6,000.
	MaxEntries  int
	MaxExpanded int64 // bytes of all files together, decompressed: 64 GiB, which take some minutes to read
	MaxFile     int64 // bytes of one file, decompressed: 16 GiB
	MaxMemory   int64 // bytes held of nested archives and rotated logs until they are read: 64 MiB
	MaxTemp     int64 // bytes in temporary files, for what MaxMemory has no room for: 4 GiB; below 0 for none
}

// A stream or archive that becomes more than freeExpanded, and more than expandRatio times its size, is a bomb:
// deflate's limit is 1,032 times, entries of a zip that share their bytes have none; a kernel's log packed 65 times in
// a real bundle, dumps of equal stacks 150 times.
const (
	freeExpanded = 1 << 30
	expandRatio  = 250
)

var (
	errBomb     = fmt.Errorf("it unpacks to more than %d times its size", expandRatio)
	errFileSize = errors.New("the file is larger than the limit for one")
	errExpanded = errors.New("all files together are larger than the limit")
)

// WithDefaults fills in what is zero: the default that each field names.
func (l Limits) WithDefaults() Limits {
	l.MaxBlob = cmp.Or(l.MaxBlob, 96<<20)
	l.MaxExpanded = cmp.Or(l.MaxExpanded, 64<<30)
	l.MaxFile = cmp.Or(l.MaxFile, 16<<30)
	l.MaxMemory = cmp.Or(l.MaxMemory, 64<<20)
	l.MaxTemp = cmp.Or(l.MaxTemp, 4<<30)
	l.MaxLine = cmp.Or(max(l.MaxLine, 0), 4<<20)
	l.MaxDepth = cmp.Or(max(l.MaxDepth, 0), 8)
	l.MaxEntries = cmp.Or(max(l.MaxEntries, 0), 200_000)
	return l
}

// mayExpandTo is what something of size bytes may become.
func mayExpandTo(size int64) int64 {
	if size > 1<<50 {
		return 1 << 60
	}
	return max(freeExpanded, expandRatio*size)
}

// An Allowance is what the files of one run may still become, decompressed.
type Allowance struct {
	left    atomic.Int64
	input   atomic.Int64 // what may still come out of the only input
	maxFile int64
}

// NewAllowance returns the allowance for any number of inputs.
func NewAllowance(l Limits) *Allowance {
	a := &Allowance{maxFile: l.MaxFile}
	a.left.Store(l.MaxExpanded)
	a.input.Store(math.MaxInt64)
	return a
}

// NewInputAllowance returns the allowance for one input of size bytes: with its nested archives it may become no more
// than any other archive.
func NewInputAllowance(l Limits, size int64) *Allowance {
	a := NewAllowance(l)
	a.input.Store(mayExpandTo(size))
	return a
}

// take counts n more bytes of a file that had so many before.
func (a *Allowance) take(before int64, n int) error {
	switch {
	case before+int64(n) > a.maxFile:
		return fmt.Errorf("%w (%s, --max-file)", errFileSize, sizeName(a.maxFile))
	case a.left.Add(-int64(n)) < 0:
		return fmt.Errorf("%w (--max-expanded)", errExpanded)
	case a.input.Add(-int64(n)) < 0:
		return errBomb
	}
	return nil
}

// A metered reader counts one file's bytes against an allowance.
type metered struct {
	r io.Reader
	a *Allowance
	n int64
}

// Meter returns a reader that counts the bytes of one file against an allowance and fails where it is used up.
func Meter(r io.Reader, a *Allowance) io.Reader { return &metered{r: r, a: a} }

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if limit := m.a.take(m.n, n); limit != nil {
		return 0, limit
	}
	m.n += int64(n)
	return n, err
}

// sizeName is a size for people: a limit is given in whole units.
func sizeName(n int64) string {
	for _, u := range []struct {
		unit int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.unit {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(u.unit), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
