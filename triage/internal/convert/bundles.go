package convert

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

// A bundleCount is a Bundle while it is being counted.
type bundleCount struct {
	schema.Bundle
	kinds       map[string]int64
	nodes, pods map[string]bool
	first, last time.Time
	paths       []string // within the bundle
}

// Bundles sums up what each of the arguments held, in the order of its first file; arguments with a single file are
// left out.
func Bundles(args []string, inputs []schema.Input, skips []schema.Skipped) []schema.Bundle {
	o := indexArguments(args)
	byPath := map[string]*bundleCount{}
	var all []*bundleCount
	owner := func(path string) (*bundleCount, string) {
		name, rest := o.of(path)
		if name == "" {
			return nil, ""
		}
		g := byPath[name]
		if g == nil {
			g = &bundleCount{kinds: map[string]int64{}, nodes: map[string]bool{}, pods: map[string]bool{}}
			g.Path = name
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

func (g *bundleCount) add(in *schema.Input, rest string) {
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

func (g *bundleCount) sum() schema.Bundle {
	b := g.Bundle
	b.Layout, b.Nodes, b.Pods = layoutOf(g.paths), len(g.nodes), len(g.pods)
	b.Kinds = talliesOf(g.kinds)
	if !g.first.IsZero() && !g.last.IsZero() {
		b.First, b.Last = Time(g.first), Time(g.last)
	}
	return b
}

// An argumentIndex maps a path to the argument that it was found under.
type argumentIndex struct {
	plain []string // cleaned, longest first
	globs [][]string
}

func indexArguments(args []string) argumentIndex {
	var o argumentIndex
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

// of is the folder or archive that the user named and that path lies in, and path within it; "" where path was named
// itself.
func (o argumentIndex) of(path string) (name, rest string) {
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
