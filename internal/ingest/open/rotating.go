package open

import (
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// In a stream the rotated files of a log and the live one come one after the other, in any order: what may be one of
// them is held as it is stored until the stream leaves their folder.

const (
	// maxHeldLive is how large a file may be that is held only because a rotated one may follow: kubelet rotates at 10
	// MiB.
	maxHeldLive = 16 << 20
	// maxHeld is how many files one folder may hold back.
	maxHeld = 64
)

// A rotationBuffer holds back what may belong together.
type rotationBuffer struct {
	u   *unpacking
	dir string
	// held are the files of dir and of the folders around it that are not left yet.
	held []heldFile
}

type heldFile struct {
	dir, base string
	file
}

// takes reports whether a file must wait for others of its folder.
func (r *rotationBuffer) takes(name string, size int64) bool {
	if origin.IsPreviousByNumber(name) {
		return false
	}
	dir, base := path.Split(name)
	rot := rotationOf(base)
	onlyMemory := false
	switch {
	case r.holds(dir, rot.base):
	case rot.rank != rankLive:
		if !rot.sure && !strings.HasSuffix(rot.base, ".log") {
			return false
		}
	// A live log may come before its rotated files.
	case origin.RestartOf(base) >= 0, strings.HasSuffix(base, "audit.log"):
	case size <= maxHeldLive && rotatesHere(name):
		onlyMemory = true
	default:
		return false
	}
	if !r.u.w.store.mayKeep(size, onlyMemory) {
		r.flush()
		return false
	}
	return true
}

// rotatesHere recognises the logs of a node, which logrotate and journald rotate: they lie in a folder of their own,
// and not in that of a pod.
func rotatesHere(name string) bool {
	base := path.Base(name)
	if base == "syslog" || base == "messages" || base == "dmesg" {
		return true
	}
	o := origin.Of(name)
	return !o.Known() && strings.HasSuffix(base, ".log")
}

func (r *rotationBuffer) holds(dir, base string) bool {
	return slices.ContainsFunc(r.held, func(h heldFile) bool { return h.dir == dir && h.base == base })
}

// add holds a file that was kept.
func (r *rotationBuffer) add(name string, f file) {
	dir, base := path.Split(name)
	r.held = append(r.held, heldFile{dir, rotationOf(base).base, f})
	if len(r.held) >= maxHeld {
		r.flush()
	}
}

// enter takes the folder of each entry, and submits what lies in folders that are complete.
func (r *rotationBuffer) enter(dir string) {
	if dir == r.dir {
		return
	}
	r.dir = dir
	inside := dir + "/"
	r.flushWhere(func(h heldFile) bool { return !strings.HasPrefix(inside, h.dir) })
}

func (r *rotationBuffer) flush() { r.flushWhere(func(heldFile) bool { return true }) }

func (r *rotationBuffer) flushWhere(which func(heldFile) bool) {
	var files []file
	r.held = slices.DeleteFunc(r.held, func(h heldFile) bool {
		leaves := which(h)
		if leaves {
			files = append(files, h.file)
		}
		return leaves
	})
	if len(files) > 0 {
		r.u.submit(files, r.u.logs)
	}
}
