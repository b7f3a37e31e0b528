package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A module is a checkout: a folder with a go.mod.
type module struct {
	path     string            // the module's import path
	dir      string            // below the root, "." for the root itself
	vendored map[string]string // module → version, as vendor/modules.txt lists them; nil without a vendor folder
}

// findModules finds the checkouts in a folder: the folder itself and those in it, the longest import path first.
func (r *root) findModules() []module {
	var list []module
	dirs := []string{"."}
	for _, name := range r.names(".") {
		if !strings.HasPrefix(name, ".") {
			dirs = append(dirs, name)
		}
	}
	slices.Sort(dirs[1:])
	for _, dir := range dirs {
		if len(list) == maxModules {
			break
		}
		text, _ := r.read(path.Join(dir, "go.mod"), maxMeta)
		if name := modulePath(text); name != "" {
			vendored, _ := r.read(path.Join(dir, "vendor/modules.txt"), maxMeta)
			list = append(list, module{path: name, dir: dir, vendored: versions(vendored)})
		}
	}
	slices.SortStableFunc(list, func(a, b module) int { return cmp.Compare(len(b.path), len(a.path)) })
	return list
}

// modulePath is the path in a go.mod's module directive, "" without one.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			return strings.Trim(f[1], "\"`")
		}
	}
	return ""
}

// versions reads vendor/modules.txt: "# k8s.io/klog/v2 v2.80.1", "# a v1 => b v2", "# a => b v2". The version of a
// replaced module is that of what replaces it; a folder has none.
func versions(text string) map[string]string {
	if text == "" {
		return nil
	}
	list := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "#" {
			continue
		}
		if i := slices.Index(f, "=>"); i > 0 {
			if len(f) > i+2 {
				list[f[i+1]] = f[i+2]
			}
			continue
		}
		list[f[1]] = f[2]
	}
	return list
}

// findGoroot finds the packages of a Go release: the folder is a GOROOT, or its src.
func (r *root) findGoroot() string {
	for _, src := range []string{"src/", ""} {
		if ok, _ := r.regular(src + "runtime/runtime2.go"); ok {
			return src
		}
	}
	return none
}

// otherVersions is the reason why a file of the module cache isn't found where other versions of its module are.
func (r *root) otherVersions(s spot) string {
	const shown = 3
	for _, mod := range s.modules {
		dir, base := path.Split(escapeCase(mod))
		for _, cache := range []string{"", "pkg/mod/"} {
			var found []string
			for _, name := range r.names(path.Join(cache, dir)) {
				if version, ok := strings.CutPrefix(name, base+"@"); ok {
					found = append(found, unescapeCase(version))
				}
			}
			if len(found) > 0 && !slices.Contains(found, s.version) {
				slices.Sort(found)
				return mod + " is present as " + strings.Join(found[:min(len(found), shown)], ", ") + ", not as " +
					s.version
			}
		}
	}
	return ""
}
