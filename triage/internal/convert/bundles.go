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
		if g, _ := owner(s.Path); g != nil && s.CopyOf() == "" { // what a copy holds was read in the other one
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

// matches holds the elements of a path against patterns, one for each; an archive's has a "!" behind it.
func matches(patterns, elements []string) bool {
	return slices.EqualFunc(patterns, elements, func(pattern, element string) bool {
		ok, err := filepath.Match(pattern, strings.TrimSuffix(element, "!"))
		return ok && err == nil
	})
}

// A bundleLayout is recognised by paths that only it has: for each of its marks a path must hold elements that match
// it, one after the other (filepath.Match). The first layout of the list that fits is it.
type bundleLayout struct {
	name  string
	marks []string
}

// bundleLayouts are those of the tools that collect, as of 2026: rancher/support-bundle-kit 0.1 (Harvester,
// Longhorn), openshift/must-gather and oc adm inspect, replicatedhq/troubleshoot 0.133, openshift/insights-operator,
// kubectl cluster-info dump 1.34, rancherlabs/support-tools, crust-gather, eks-log-collector, the debug commands of
// CockroachDB, Consul, Vault and Nomad, and the kubelet's /var/log/pods.
func bundleLayouts() []bundleLayout {
	return []bundleLayout{
		{"Harvester support bundle", []string{"yamls/*", "logs/harvester-system/*/*"}},
		{"Longhorn support bundle", []string{"yamls/*", "logs/longhorn-system/*/*"}},
		{"support-bundle-kit bundle", []string{"yamls/*", "metadata.yaml"}},
		{"troubleshoot support bundle", []string{"cluster-resources/*"}},
		{"OpenShift Insights archive", []string{"config/*", "insights-operator/*"}},
		{"OpenShift Insights archive", []string{"config/pod/*", "config/node/*"}},
		{"OpenShift must-gather", []string{"cluster-scoped-resources/*", "namespaces/*/core"}},
		{"OpenShift must-gather", []string{"audit_logs/*", "namespaces/*/core"}},
		{"OpenShift must-gather", []string{"namespaces/*/pods/*/*/*/logs"}},
		{"kubectl cluster-info dump", []string{"nodes.*", "*/*/logs.txt"}},
		{"crust-gather snapshot", []string{"cluster/v1/*", "namespaces/*/v1/*"}},
		{"Rancher logs collection", []string{"systeminfo/*", "networking/*"}},
		{"Rancher profiles collection", []string{"*-goroutine-*", "top-pods.txt"}},
		{"EKS logs collection", []string{"var_log/*", "kubelet/*"}},
		{"CockroachDB debug zip", []string{"debug/nodes/*/*"}},
		{"Consul debug archive", []string{"consul.log"}},
		{"Vault debug archive", []string{"*/goroutines.txt", "vault.log"}},
		{"Nomad debug archive", []string{"server/*/monitor.log"}},
		{"Nomad debug archive", []string{"client/*/monitor.log"}},
		{"Kubernetes pod logs", []string{"*_*_*-*-*-*-*/*/*.log*"}},
	}
}

// layoutOf names the layout of a bundle's paths, which are slash-separated; "" where no layout fits.
func layoutOf(paths []string) string {
	split := make([][]string, 0, len(paths))
	for _, p := range paths {
		split = append(split, strings.Split(p, "/"))
	}
	for _, l := range bundleLayouts() {
		found := true
		for _, mark := range l.marks {
			found = found && anyHolds(split, strings.Split(mark, "/"))
		}
		if found {
			return l.name
		}
	}
	return ""
}

func anyHolds(paths [][]string, mark []string) bool {
	for _, elements := range paths {
		for i := 0; i+len(mark) <= len(elements); i++ {
			if matches(mark, elements[i:i+len(mark)]) {
				return true
			}
		}
	}
	return false
}
