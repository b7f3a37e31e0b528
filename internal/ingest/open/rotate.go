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
func group(files []file) [][]file {
	type key struct{ dir, base string }
	keys := make([]key, len(files))
	rots := make([]rotation, len(files))
	live := make(map[key]bool)
	for i := range files {
		dir, name := path.Split(filepath.ToSlash(files[i].Path))
		rots[i] = rotationOf(name)
		keys[i] = key{dir, rots[i].base}
		if rots[i].rank == rankLive {
			live[keys[i]] = true
		}
	}
	type member struct {
		file
		rot rotation
	}
	var sets [][]member
	index := make(map[key]int)
	for i, f := range files {
		k, r := keys[i], rots[i]
		rotated := r.sure || live[k] || strings.HasSuffix(r.base, ".log")
		at, seen := index[k]
		// A second live file (app.log beside app.log.gz) isn't a later part of it but another copy.
		isLive := func(m member) bool { return m.rot.rank == rankLive }
		twin := seen && r.rank == rankLive && slices.ContainsFunc(sets[at], isLive)
		alone := !rotated || twin || !f.Regular || origin.IsPreviousByNumber(f.Path)
		if seen && !alone {
			sets[at] = append(sets[at], member{f, r})
			continue
		}
		if !alone {
			index[k] = len(sets)
		}
		sets = append(sets, []member{{f, r}})
	}
	out := make([][]file, len(sets))
	for i, set := range sets {
		first := slices.MinFunc(set, func(a, b member) int { return a.at.Compare(b.at) }).at
		slices.SortStableFunc(set, func(a, b member) int { return a.rot.older(b.rot) })
		out[i] = make([]file, len(set))
		for j, m := range set {
			out[i][j] = m.file
		}
		out[i][0].at = first
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
