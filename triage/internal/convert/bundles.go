package convert

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

// A gathered is a Bundle while it is being counted.
type gathered struct {
	schema.Bundle
	kinds       map[string]int64
	nodes, pods map[string]bool
	first, last time.Time
	paths       []string // within the bundle
}

// bundlesOf sums up what each of the arguments held, in the order of its first file; arguments with a single file are
// left out.
func Bundles(args []string, inputs []schema.Input, skips []schema.Skipped) []schema.Bundle {
	o := ownersOf(args)
	byPath := map[string]*gathered{}
	var all []*gathered
	owner := func(path string) (*gathered, string) {
		name, rest := o.of(path)
		if name == "" {
			return nil, ""
		}
		g := byPath[name]
		if g == nil {
			g = &gathered{Bundle: schema.Bundle{Path: name}, kinds: map[string]int64{}, nodes: map[string]bool{}, pods: map[string]bool{}}
			byPath[name] = g
			all = append(all, g)
		}
		return g, rest
	}
	for i := range inputs {
		if g, rest := owner(inputs[i].Path); g != nil {
			g.add(&inputs[i], rest)
		}
	}
	for _, s := range skips {
		if g, _ := owner(s.Path); g != nil {
			g.Skipped++
		}
	}
	var out []schema.Bundle
	for _, g := range all {
		if g.Files > 1 || g.Files > 0 && g.Skipped > 0 {
			out = append(out, g.sum())
		}
	}
	return out
}

func (g *gathered) add(in *schema.Input, rest string) {
	g.Files++
	g.Bytes += in.Bytes
	g.kinds[in.Kind]++
	if in.Node != "" {
		g.nodes[in.Node] = true
	}
	if in.Pod != "" {
		g.pods[in.Namespace+"/"+in.Pod] = true
	}
	g.paths = append(g.paths, rest)
	if t, err := time.Parse(time.RFC3339, in.First); err == nil && (g.first.IsZero() || t.Before(g.first)) {
		g.first = t
	}
	if t, err := time.Parse(time.RFC3339, in.Last); err == nil && t.After(g.last) {
		g.last = t
	}
}

func (g *gathered) sum() schema.Bundle {
	b := g.Bundle
	b.Layout, b.Nodes, b.Pods = layoutOf(g.paths), len(g.nodes), len(g.pods)
	b.Kinds = make([]schema.Tally, 0, len(g.kinds))
	for kind, n := range g.kinds {
		b.Kinds = append(b.Kinds, schema.Tally{Name: kind, Count: n})
	}
	slices.SortFunc(b.Kinds, func(a, b schema.Tally) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	if !g.first.IsZero() && !g.last.IsZero() {
		b.First, b.Last = g.first.UTC().Format(time.RFC3339), g.last.UTC().Format(time.RFC3339)
	}
	return b
}

// An owners tells which argument a path was found under.
type owners struct {
	plain []string // cleaned, longest first
	globs [][]string
}

func ownersOf(args []string) owners {
	var o owners
	for _, arg := range args {
		if arg == "" {
			continue
		}
		arg = filepath.ToSlash(filepath.Clean(arg))
		if strings.ContainsAny(arg, "*?[") {
			o.globs = append(o.globs, strings.Split(arg, "/"))
		}
		o.plain = append(o.plain, arg)
	}
	slices.SortStableFunc(o.plain, func(a, b string) int { return len(b) - len(a) })
	return o
}

// of is the folder or archive that the user named and that path lies in, and path within it; "" where path was named itself.
func (o owners) of(path string) (name, rest string) {
	path = filepath.ToSlash(path)
	for _, arg := range o.plain {
		if arg == path {
			return "", ""
		}
		for _, sep := range [...]string{"/", ingest.InsideArchive} {
			if rest, ok := strings.CutPrefix(path, arg+sep); ok {
				return arg, rest
			}
		}
		if arg == "/" && strings.HasPrefix(path, "/") {
			return arg, path[1:]
		}
	}
	elements := strings.Split(path, "/")
	for _, glob := range o.globs {
		if n := len(glob); n < len(elements) && matches(glob, elements[:n]) {
			return strings.TrimSuffix(strings.Join(elements[:n], "/"), "!"), strings.Join(elements[n:], "/")
		}
	}
	if slices.Contains(o.plain, ".") && !filepath.IsAbs(path) && path != "-" {
		return ".", path
	}
	return "", ""
}

// matches holds the elements of a path against those of a glob; an archive's has a "!" behind it.
func matches(glob, elements []string) bool {
	for i := range glob {
		if ok, err := filepath.Match(glob[i], strings.TrimSuffix(elements[i], "!")); err != nil || !ok {
			return false
		}
	}
	return true
}
