package ingest

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

// A vault keeps what must be whole before it can be read, an archive inside an archive for instance: in memory while there is
// room, in temporary files after that. The files have no name on systems that allow it, and are gone with the process.
type vault struct {
	memory, temp budget

	mu   sync.Mutex
	free [][]byte // chunks that nobody needs now: what is kept comes and goes, and would be garbage of many MiB each time
}

func newVault(l Limits) *vault {
	v := &vault{}
	v.memory.left.Store(l.MaxMemory)
	v.temp.left.Store(max(0, l.MaxTemp))
	return v
}

var errVault = errors.New("no room to hold it")

const (
	// keepChunk is how much memory is taken at a time.
	keepChunk = 256 << 10
	// keepFree is how many chunks wait for the next thing: 8 MiB.
	keepFree = 32
)

// chunk returns memory, nil where there is no more.
func (v *vault) chunk() []byte {
	if !v.memory.try(keepChunk) {
		return nil
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

func (v *vault) giveBack(chunks [][]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	// Few are enough for what comes and goes all the time; the rest of a large one is the collector's.
	v.free = append(v.free, chunks[:min(len(chunks), max(0, keepFree-len(v.free)))]...)
	v.memory.give(keepChunk * int64(len(chunks)))
}

// mayKeep reports whether something of size bytes has room now; for what only may be needed, in memory.
func (v *vault) mayKeep(size int64, onlyMemory bool) bool {
	return size+keepChunk <= v.memory.left.Load() || !onlyMemory && size <= v.temp.left.Load()
}

// A kept is one thing in a vault.
type kept struct {
	// mu keeps drop from taking away what a reader that was told to stop, but has not yet, reads from.
	mu     sync.RWMutex
	v      *vault
	chunks [][]byte
	file   *os.File // nil while it is in memory
	name   string   // of a file that couldn't be unlinked while it is open
	size   int64
}

// keep reads r to its end; size is what it should have, -1 where nobody knows. What came before an error of r is kept too, and
// comes back with the error.
func (v *vault) keep(r io.Reader, size int64) (*kept, error) {
	k := &kept{v: v}
	var err error
	// What can't have room in memory isn't begun there.
	if size > v.memory.left.Load() {
		err = k.spill()
	}
	if err == nil {
		err = k.fill(r)
	}
	if err != nil && (k.size == 0 || errors.Is(err, errVault)) {
		k.drop()
		return nil, err
	}
	return k, err
}

func (k *kept) fill(r io.Reader) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if addErr := k.add(buf[:n]); addErr != nil {
				return addErr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (k *kept) add(p []byte) error {
	for k.file == nil && len(p) > 0 {
		used := int(k.size % keepChunk)
		if used == 0 {
			c := k.v.chunk()
			if c == nil {
				if err := k.spill(); err != nil {
					return err
				}
				break
			}
			k.chunks = append(k.chunks, c)
		}
		n := copy(k.chunks[len(k.chunks)-1][used:], p)
		k.size += int64(n)
		p = p[n:]
	}
	if len(p) == 0 {
		return nil
	}
	return k.write(p)
}

// write appends to the file.
func (k *kept) write(p []byte) error {
	if !k.v.temp.try(int64(len(p))) {
		return fmt.Errorf("%w: neither in memory (--max-memory) nor in a temporary file (--max-temp)", errVault)
	}
	k.size += int64(len(p))
	if _, err := k.file.Write(p); err != nil {
		return fmt.Errorf("%w: writing a temporary file: %w", errVault, err)
	}
	return nil
}

// spill moves what is in memory into a temporary file.
func (k *kept) spill() error {
	if k.v.temp.left.Load() <= k.size {
		return fmt.Errorf("%w: neither in memory (--max-memory) nor in a temporary file (--max-temp)", errVault)
	}
	f, err := os.CreateTemp("", "triage-*")
	if err != nil {
		return fmt.Errorf("%w: %w", errVault, err)
	}
	if os.Remove(f.Name()) != nil {
		k.name = f.Name()
	}
	chunks, left := k.chunks, k.size
	defer k.v.giveBack(chunks)
	k.chunks, k.file, k.size = nil, f, 0
	for _, c := range chunks {
		n := min(left, keepChunk)
		if err := k.write(c[:n]); err != nil {
			return err
		}
		left -= n
	}
	return nil
}

// drop gives everything back.
func (k *kept) drop() {
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

// ReadAt is for as long as k isn't dropped: then it ends as if it were empty.
func (k *kept) ReadAt(p []byte, off int64) (n int, err error) {
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

func (k *kept) open() (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(k, 0, k.size)), nil
}
