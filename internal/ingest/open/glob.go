package open

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// CheckGlob reports whether a pattern can be matched. `*`, `?` and `[a-z]` match bytes within one name of a path, as in
// path.Match; `**` matches any number of names. A pattern without a slash matches a file or folder of that name
// anywhere, any other one a path from its beginning or from any folder or archive on.
func CheckGlob(pattern string) error {
	if pattern == "" {
		return errors.New("the pattern is empty")
	}
	for name := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(name, ""); err != nil {
			return fmt.Errorf("the pattern %q is malformed", pattern)
		}
	}
	return nil
}

// A glob is a pattern, split at its slashes.
type glob []string

func parseGlobs(patterns []string) []glob {
	var all []glob
	for _, p := range patterns {
		if CheckGlob(p) == nil {
			all = append(all, glob(strings.Split(strings.Trim(p, "/"), "/")))
		}
	}
	return all
}

// matches reports whether the pattern matches the names from any of them on, up to the last or to a folder on the way:
// what lies in a folder that matches, matches.
func (g glob) matches(names []string) bool {
	for i := range names {
		if g.matchFrom(names[i:]) {
			return true
		}
	}
	return false
}

// matchFrom works through pattern and names with one point to go back to, the last `**`: no pattern costs more than
// pattern times names.
func (g glob) matchFrom(names []string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for {
		switch {
		case p == len(g):
			return true
		case g[p] == "**":
			star, from = p, n
			p++
			if p == len(g) {
				return n < len(names)
			}
			continue
		case n < len(names) && sameName(g[p], names[n]):
			p, n = p+1, n+1
			continue
		}
		if star < 0 || from >= len(names) {
			return false
		}
		from++
		p, n = star+1, from
	}
}

func sameName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// A filter is what Options.Only and Options.Skip let through.
type filter struct{ only, skip []glob }

func (o Options) filter() filter {
	return filter{parseGlobs(o.Only), parseGlobs(o.Skip)}
}

func (c filter) all() bool { return len(c.only) == 0 && len(c.skip) == 0 }

// wants reports whether the file at a shown path is read.
func (c filter) wants(shown string) bool {
	if c.all() {
		return true
	}
	names := origin.Names(shown)
	matches := func(g glob) bool { return g.matches(names) }
	return !slices.ContainsFunc(c.skip, matches) && (len(c.only) == 0 || slices.ContainsFunc(c.only, matches))
}

// enters reports whether an archive or folder is looked into: all but what Skip matches may hold what Only matches.
func (c filter) enters(shown string) bool {
	return filter{skip: c.skip}.wants(shown)
}

// mayHold reports whether the file at a shown path is wanted, or called like an archive that may hold what is.
func (c filter) mayHold(shown string) bool {
	return c.all() || c.wants(shown) || calledArchive(shown) && c.enters(shown)
}
