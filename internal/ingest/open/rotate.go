package open

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A rotation is what a file's name shows of log rotation.
type rotation struct {
	base string // the name that the live file has
	// rank orders classes: dated files before numbered ones before the live file.
	rank int
	when string // digits of the date, for rankDated
	n    int    // for rankNumbered: higher is older
	// sure reports that the form is a rotator's own; others count only beside a live file or for a *.log.
	sure bool
}

const (
	rankDated = iota
	rankNumbered
	rankLive
)

var (
	// kubelet: N.log.YYYYMMDD-HHMMSS (pkg/kubelet/logs, timestampFormat).
	rotatedKubelet = lazy(`^(.+)\.(\d{8}-\d{6})$`)
	// logrotate's dateext with its usual dateformats.
	rotatedDateext = lazy(`^(.+)-(\d{8}|\d{4}-\d{2}-\d{2})(-\d{2,10})?$`)
	// logrotate without dateext, and docker's json-file max-file.
	rotatedNumber = lazy(`^(.+)\.(\d{1,4})$`)
	// lumberjack, which kube-apiserver's audit log uses: name-2026-03-04T04-47-31.123.log.
	rotatedLumberjack = lazy(`^(.+)-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3})(\.[^.]+)$`)
)

// lazy compiles an expression when it is used first: most names need none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// rotationOf reads a file name.
func rotationOf(name string) rotation {
	if stem, _ := origin.CutCompressed(name); stem != "" {
		name = stem
	}
	// What the expressions ask for that few names have is looked for first, so that most are never compiled.
	numbered := name != "" && isDigit(name[len(name)-1])
	if numbered {
		if m := rotatedKubelet().FindStringSubmatch(name); m != nil {
			return rotation{base: m[1], rank: rankDated, when: onlyDigits(m[2]), sure: true}
		}
	}
	if hasTime(name) {
		if m := rotatedLumberjack().FindStringSubmatch(name); m != nil {
			return rotation{base: m[1] + m[3], rank: rankDated, when: onlyDigits(m[2]), sure: true}
		}
	}
	if !numbered {
		return rotation{base: name, rank: rankLive}
	}
	if m := rotatedDateext().FindStringSubmatch(name); m != nil {
		return rotation{base: m[1], rank: rankDated, when: onlyDigits(m[2] + m[3])}
	}
	if m := rotatedNumber().FindStringSubmatch(name); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			return rotation{base: m[1], rank: rankNumbered, n: n}
		}
	}
	return rotation{base: name, rank: rankLive}
}

// hasTime reports whether a T lies between two digits, as in a time.
func hasTime(name string) bool {
	for i := 1; i < len(name)-1; i++ {
		if name[i] == 'T' && isDigit(name[i-1]) && isDigit(name[i+1]) {
			return true
		}
	}
	return false
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// older orders two files of one log by their names.
func (r rotation) older(o rotation) int {
	switch {
	case r.rank != o.rank:
		return r.rank - o.rank
	case r.rank == rankDated:
		return strings.Compare(r.when, o.when)
	case r.rank == rankNumbered:
		return o.n - r.n
	}
	return 0
}

// group puts the rotated files of one log together, oldest first by their names; all others stay alone. The order of
// sets is that of their first file.
func group(files []foundFile) [][]foundFile {
	type member struct {
		foundFile
		rotation
		key string // the live file's path
	}
	all := make([]member, len(files))
	live := make(map[string]bool)
	for i, f := range files {
		dir, name := path.Split(filepath.ToSlash(f.Path))
		r := rotationOf(name)
		all[i] = member{f, r, dir + r.base}
		live[all[i].key] = live[all[i].key] || r.rank == rankLive
	}
	var sets [][]member
	index := make(map[string]int)
	for _, m := range all {
		rotated := m.sure || live[m.key] || strings.HasSuffix(m.rotation.base, ".log")
		at, seen := index[m.key]
		// A second live file (app.log beside app.log.gz) isn't a later part of it but another copy.
		isLive := func(m member) bool { return m.rank == rankLive }
		twin := seen && isLive(m) && slices.ContainsFunc(sets[at], isLive)
		alone := !rotated || twin || !m.Regular || origin.IsPreviousByNumber(m.Path)
		if seen && !alone {
			sets[at] = append(sets[at], m)
			continue
		}
		if !alone {
			index[m.key] = len(sets)
		}
		sets = append(sets, []member{m})
	}
	out := make([][]foundFile, len(sets))
	for i, set := range sets {
		first := slices.MinFunc(set, func(a, b member) int { return a.at.Compare(b.at) }).at
		slices.SortStableFunc(set, func(a, b member) int { return a.older(b.rotation) })
		out[i] = make([]foundFile, len(set))
		for j, m := range set {
			out[i][j] = m.foundFile
		}
		out[i][0].at = first
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

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
	u   *streamedArchive
	dir string
	// held are the files of dir and of the folders around it that are not left yet.
	held []heldFile
}

type heldFile struct {
	dir, base string
	foundFile
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
func (r *rotationBuffer) add(name string, f foundFile) {
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
	var files []foundFile
	r.held = slices.DeleteFunc(r.held, func(h heldFile) bool {
		leaves := which(h)
		if leaves {
			files = append(files, h.foundFile)
		}
		return leaves
	})
	if len(files) > 0 {
		r.u.submit(files, r.u.logs)
	}
}
