package open

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// A budget is a number of bytes of which parts are taken and given back.
type budget struct{ left atomic.Int64 }

func (b *budget) try(n int64) bool {
	if b.left.Add(-n) < 0 {
		b.left.Add(n)
		return false
	}
	return true
}

func (b *budget) give(n int64) { b.left.Add(n) }

// A SpillStore keeps what must be whole before it can be read, an archive inside an archive for instance: in memory
// while there is room, in temporary files after that. The files have no name on systems that allow it, and are gone
// with the process.
type SpillStore struct {
	memory, temp budget

	mu   sync.Mutex
	free [][]byte // unused chunks: things come and go, and would be garbage of many MiB each time
}

// NewSpillStore returns one that keeps MaxMemory bytes in memory and MaxTemp in files.
func NewSpillStore(l Limits) *SpillStore {
	v := &SpillStore{}
	v.memory.left.Store(l.MaxMemory)
	v.temp.left.Store(max(0, l.MaxTemp))
	return v
}

// ErrNoRoom is the error of keeping what neither memory nor a temporary file has room for.
var ErrNoRoom = errors.New("no room to hold it")

const (
	// keepChunk is how much memory is taken at a time.
	keepChunk = 256 << 10
	// keepLittle is how much is taken first: most files of a bundle are smaller.
	keepLittle = 8 << 10
	// keepFree is how many chunks wait for the next thing: 8 MiB.
	keepFree = 32
)

// chunk returns size bytes of memory, keepLittle or keepChunk; nil where there is no more.
func (v *SpillStore) chunk(size int64) []byte {
	if !v.memory.try(size) {
		return nil
	}
	if size < keepChunk {
		return make([]byte, size)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if last := len(v.free) - 1; last >= 0 {
		c := v.free[last]
		v.free = v.free[:last]
		return c
	}
	return make([]byte, keepChunk)
}

func (v *SpillStore) giveBack(chunks [][]byte) {
	if len(chunks) == 1 && len(chunks[0]) == keepLittle {
		v.memory.give(keepLittle)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	// Few are enough for what comes and goes all the time; the rest of a large one is the collector's.
	v.free = append(v.free, chunks[:min(len(chunks), max(0, keepFree-len(v.free)))]...)
	v.memory.give(keepChunk * int64(len(chunks)))
}

// mayKeep reports whether something of size bytes has room now; for what only may be needed, in memory.
func (v *SpillStore) mayKeep(size int64, onlyMemory bool) bool {
	return size+keepChunk <= v.memory.left.Load() || !onlyMemory && size <= v.temp.left.Load()
}

// A Kept is one thing in a SpillStore.
type Kept struct {
	// mu keeps Drop from taking away what a reader that has not stopped yet reads from.
	mu     sync.RWMutex
	v      *SpillStore
	chunks [][]byte
	file   *os.File // nil while it is in memory
	name   string   // of a file that couldn't be unlinked while it is open
	size   int64
}

// New returns an empty thing, to be filled by Write.
func (v *SpillStore) New() *Kept { return &Kept{v: v} }

// Keep reads r to its end; size is what it should have, -1 where unknown. What came before an error of r is kept too,
// and comes back with the error.
func (v *SpillStore) Keep(r io.Reader, size int64) (*Kept, error) {
	k := v.New()
	var err error
	// What has no room in memory isn't begun there.
	if size > v.memory.left.Load() {
		err = k.spill()
	}
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
	n := len(p)
	for k.file == nil && len(p) > 0 {
		room, err := k.room()
		if err != nil {
			return 0, err
		}
		m := copy(room, p)
		k.size += int64(m)
		p = p[m:]
	}
	if len(p) > 0 {
		if err := k.write(p); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// ReadFrom appends what r has, without a buffer between while memory lasts.
func (k *Kept) ReadFrom(r io.Reader) (int64, error) {
	from := k.size
	for k.file == nil {
		room, err := k.room()
		if err != nil {
			return k.size - from, err
		}
		if k.file != nil {
			break
		}
		n, err := r.Read(room)
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

// room returns memory that is free behind what was written; none once that is in a file.
func (k *Kept) room() ([]byte, error) {
	have := int64(len(k.chunks)) * keepChunk
	if len(k.chunks) == 1 {
		have = int64(len(k.chunks[0]))
	}
	if k.size < have {
		return k.chunks[len(k.chunks)-1][k.size-(have-int64(len(k.chunks[len(k.chunks)-1]))):], nil
	}
	size := int64(keepChunk)
	if have == 0 {
		size = keepLittle
	}
	c := k.v.chunk(size)
	if c == nil {
		return nil, k.spill()
	}
	if have != keepLittle {
		k.chunks = append(k.chunks, c)
		return c, nil
	}
	copy(c, k.chunks[0])
	k.v.giveBack(k.chunks)
	k.chunks = [][]byte{c}
	return c[keepLittle:], nil
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
	chunks, left := k.chunks, k.size
	defer k.v.giveBack(chunks)
	k.chunks, k.file, k.size = nil, f, 0
	for _, c := range chunks {
		n := min(left, int64(len(c)))
		if err := k.write(c[:n]); err != nil {
			return err
		}
		left -= n
	}
	return nil
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
	k.v.giveBack(k.chunks)
	k.chunks, k.file, k.size = nil, nil, 0
}

// ReadAt finds nothing after Drop.
func (k *Kept) ReadAt(p []byte, off int64) (n int, err error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.file != nil {
		return k.file.ReadAt(p, off)
	}
	if off < 0 {
		return 0, errors.New("a place before the beginning")
	}
	for n < len(p) {
		if off >= k.size {
			return n, io.EOF
		}
		chunk := k.chunks[off/keepChunk]
		end := min(keepChunk, k.size-off/keepChunk*keepChunk)
		m := copy(p[n:], chunk[off%keepChunk:end])
		n += m
		off += int64(m)
	}
	return n, nil
}
