package ingest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A rotation is what a file's name says about log rotation.
type rotation struct {
	base string // the name that the live file has
	// rank orders classes: dated files before numbered ones before the live file.
	rank int
	when string // digits of the date, for rankDated
	n    int    // for rankNumbered: higher is older
	// sure says that the form is a rotator's own; others count only beside a live file or for a *.log.
	sure bool
}

const (
	rankDated = iota
	rankNumbered
	rankLive
)

var (
	// kubelet: N.log.YYYYMMDD-HHMMSS (pkg/kubelet/logs, timestampFormat).
	rotatedKubelet = regexp.MustCompile(`^(.+)\.(\d{8}-\d{6})$`)
	// logrotate's dateext with its usual dateformats.
	rotatedDateext = regexp.MustCompile(`^(.+)-(\d{8}|\d{4}-\d{2}-\d{2})(-\d{2,10})?$`)
	// logrotate without dateext, and docker's json-file max-file.
	rotatedNumber = regexp.MustCompile(`^(.+)\.(\d{1,4})$`)
	// lumberjack, which kube-apiserver's audit log uses: name-2026-03-04T04-47-31.123.log.
	rotatedLumberjack = regexp.MustCompile(`^(.+)-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3})(\.[^.]+)$`)
)

// rotationOf reads a file name.
func rotationOf(name string) rotation {
	for _, ext := range []string{".gz", ".zst", ".bz2", ".xz"} {
		if s, ok := strings.CutSuffix(name, ext); ok && s != "" {
			name = s
			break
		}
	}
	if m := rotatedKubelet.FindStringSubmatch(name); m != nil {
		return rotation{base: m[1], rank: rankDated, when: onlyDigits(m[2]), sure: true}
	}
	if m := rotatedLumberjack.FindStringSubmatch(name); m != nil {
		return rotation{base: m[1] + m[3], rank: rankDated, when: onlyDigits(m[2]), sure: true}
	}
	if m := rotatedDateext.FindStringSubmatch(name); m != nil {
		return rotation{base: m[1], rank: rankDated, when: onlyDigits(m[2] + m[3])}
	}
	if m := rotatedNumber.FindStringSubmatch(name); m != nil {
		n, err := strconv.Atoi(m[2])
		if err == nil {
			return rotation{base: m[1], rank: rankNumbered, n: n}
		}
	}
	return rotation{base: name, rank: rankLive}
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

// group makes Sources of files: the rotated files of one log become one, parts in order of time; all others stay
// alone. The order of Sources is that of their first file.
func group(files []Part) []Source {
	type key struct{ dir, base string }
	live := make(map[key]bool, len(files))
	rots := make([]rotation, len(files))
	for i, f := range files {
		if f.Path == stdinPath {
			continue
		}
		rots[i] = rotationOf(filepath.Base(f.Path))
		if rots[i].rank == rankLive {
			live[key{filepath.Dir(f.Path), rots[i].base}] = true
		}
	}
	type member struct {
		part Part
		rot  rotation
	}
	var sets [][]member
	index := make(map[key]int)
	for i, f := range files {
		k := key{filepath.Dir(f.Path), rots[i].base}
		r := rots[i]
		rotated := r.sure || live[k] || strings.HasSuffix(r.base, ".log")
		at, seen := index[k]
		// A second live file (app.log beside app.log.gz) isn't a later part of it but another copy.
		twin := seen && r.rank == rankLive && slices.ContainsFunc(sets[at], func(m member) bool { return m.rot.rank == rankLive })
		if f.Path == stdinPath || !rotated || twin || !f.regular {
			sets = append(sets, []member{{f, r}})
			continue
		}
		if !seen {
			index[k] = len(sets)
			sets = append(sets, []member{{f, r}})
			continue
		}
		sets[at] = append(sets[at], member{f, r})
	}
	sources := make([]Source, 0, len(sets))
	for _, set := range sets {
		slices.SortStableFunc(set, func(a, b member) int { return a.rot.older(b.rot) })
		parts := make([]Part, len(set))
		for i, m := range set {
			parts[i] = m.part
		}
		if len(parts) > 1 {
			orderByStamps(parts)
		}
		sources = append(sources, Source{Parts: parts, Origin: originOf(parts[len(parts)-1].Path)})
	}
	return sources
}

// orderByStamps corrects the order by the parts' first timestamps where every part has one: names lie after a copy
// or a clock set back, content doesn't.
func orderByStamps(parts []Part) {
	type dated struct {
		part Part
		at   time.Time
	}
	all := make([]dated, len(parts))
	for i, p := range parts {
		at, ok := firstStamp(p)
		if !ok {
			return
		}
		all[i] = dated{p, at}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return a.at.Compare(b.at) })
	for i := range all {
		parts[i] = all[i].part
	}
}
