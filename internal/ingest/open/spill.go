package open

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"
)

// A byteBudget is a number of bytes of which parts are taken and given back.
type byteBudget struct{ left atomic.Int64 }

func (b *byteBudget) try(n int64) bool {
	if b.left.Add(-n) < 0 {
		b.left.Add(n)
		return false
	}
	return true
}

func (b *byteBudget) give(n int64) { b.left.Add(n) }

// A SpillStore keeps what must be whole before it can be read, an archive inside an archive for instance: in memory
// while there is room, in temporary files after that. The files have no name on systems that allow it, and are gone
// with the process.
type SpillStore struct{ memory, temp byteBudget }

// NewSpillStore returns one that keeps MaxMemory bytes in memory and MaxTemp in files.
func NewSpillStore(l Limits) *SpillStore {
	v := &SpillStore{}
	v.memory.left.Store(l.MaxMemory)
	v.temp.left.Store(max(0, l.MaxTemp))
	return v
}

// ErrNoRoom is the error of keeping what neither memory nor a temporary file has room for.
var ErrNoRoom = errors.New("no room to hold it")

// keepLeast is how much memory is taken first: most files of a bundle are smaller.
const keepLeast = 8 << 10

// mayKeep reports whether something of size bytes has room now; for what only may be needed, in memory.
func (v *SpillStore) mayKeep(size int64, onlyMemory bool) bool {
	return size < v.memory.left.Load() || !onlyMemory && size <= v.temp.left.Load()
}

// A Kept is one thing in a SpillStore.
type Kept struct {
	// mu keeps Drop from taking away what a reader that has not stopped yet reads from.
	mu   sync.RWMutex
	v    *SpillStore
	data []byte
	file *os.File // nil while it is in memory
	name string   // of a file that couldn't be unlinked while it is open
	size int64
}

// New returns an empty thing, to be filled by Write.
func (v *SpillStore) New() *Kept { return &Kept{v: v} }

// Keep reads r to its end; size is what it should have, -1 where unknown. What came before an error of r is kept too,
// and comes back with the error.
func (v *SpillStore) Keep(r io.Reader, size int64) (*Kept, error) {
	k := v.New()
	err := k.grow(int(min(max(size, keepLeast-1), math.MaxInt-1)) + 1) // and the end that is read behind it
	if err == nil {
		_, err = io.Copy(k, r)
	}
	if err != nil && (k.size == 0 || errors.Is(err, ErrNoRoom)) {
		k.Drop()
		return nil, err
	}
	return k, err
}

// Write appends p.
func (k *Kept) Write(p []byte) (int, error) {
	if err := k.grow(len(p)); err != nil {
		return 0, err
	}
	if k.file != nil {
		return len(p), k.write(p)
	}
	k.data = append(k.data, p...)
	k.size += int64(len(p))
	return len(p), nil
}

// ReadFrom appends what r has, without a buffer between while memory lasts.
func (k *Kept) ReadFrom(r io.Reader) (int64, error) {
	from := k.size
	for {
		if err := k.grow(1); err != nil {
			return k.size - from, err
		}
		if k.file != nil {
			break
		}
		n, err := r.Read(k.data[len(k.data):cap(k.data)])
		k.data = k.data[:len(k.data)+n]
		k.size += int64(n)
		if err == io.EOF {
			return k.size - from, nil
		} else if err != nil {
			return k.size - from, err
		}
	}
	_, err := io.Copy(struct{ io.Writer }{k}, r)
	return k.size - from, err
}

// grow makes room for n bytes: in memory, or else it moves all into a file.
func (k *Kept) grow(n int) error {
	if k.file != nil || cap(k.data)-len(k.data) >= n {
		return nil
	}
	size := max(len(k.data)+n, 2*cap(k.data), keepLeast)
	if size < 0 || !k.v.memory.try(int64(size-cap(k.data))) {
		return k.spill()
	}
	k.data = append(make([]byte, 0, size), k.data...)
	return nil
}

// Size is the number of bytes that were written.
func (k *Kept) Size() int64 { return k.size }

// Reader reads all of it, from the beginning.
func (k *Kept) Reader() io.Reader { return io.NewSectionReader(k, 0, k.size) }

// write appends to the file.
func (k *Kept) write(p []byte) error {
	if !k.v.temp.try(int64(len(p))) {
		return fmt.Errorf("%w: neither in memory (--max-memory) nor in a temporary file (--max-temp)", ErrNoRoom)
	}
	k.size += int64(len(p))
	if _, err := k.file.Write(p); err != nil {
		return fmt.Errorf("%w: writing a temporary file: %w", ErrNoRoom, err)
	}
	return nil
}

// spill moves what is in memory into a temporary file.
func (k *Kept) spill() error {
	if k.v.temp.left.Load() <= k.size {
		return fmt.Errorf("%w: neither in memory (--max-memory) nor in a temporary file (--max-temp)", ErrNoRoom)
	}
	f, err := os.CreateTemp("", "triage-*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRoom, err)
	}
	if os.Remove(f.Name()) != nil {
		k.name = f.Name()
	}
	data := k.data
	defer k.v.memory.give(int64(cap(data)))
	k.data, k.file, k.size = nil, f, 0
	return k.write(data)
}

// Drop gives everything back.
func (k *Kept) Drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file != nil {
		_ = k.file.Close()
		if k.name != "" {
			_ = os.Remove(k.name)
		}
		k.v.temp.give(k.size)
	}
	k.v.memory.give(int64(cap(k.data)))
	k.data, k.file, k.size = nil, nil, 0
}

// ReadAt finds nothing after Drop.
func (k *Kept) ReadAt(p []byte, off int64) (n int, err error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.file != nil {
		return k.file.ReadAt(p, off)
	}
	return bytes.NewReader(k.data).ReadAt(p, off)
}
