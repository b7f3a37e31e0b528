package source

import (
	"go/build/constraint"
	"slices"
	"strconv"
	"strings"
)

// knownRelease is the last release of Go whose tag every build is taken to have.
const knownRelease = 18

// systems are the operating systems that no container runs on (go help buildconstraint), and tags that no build has.
var systems = []string{
	"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "netbsd", "openbsd", "plan9", "solaris",
	"wasip1", "windows", "wasm", "gccgo", "appengine", "ignore", "tinygo",
}

// processors are the processors of Go's ports to Linux, as files' names end in them.
var processors = []string{
	"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
	"s390x",
}

// built reports whether a build on Linux has a file, by its name and its constraint: with the tags that are known, and
// whether it may have it with others.
func built(name, text string) (sure, may bool) {
	sure = true
	for i, part := range strings.Split(strings.TrimSuffix(name, ".go"), "_") {
		if i > 0 && slices.Contains(systems[:14], part) {
			return false, false
		}
		sure = sure && (i == 0 || !slices.Contains(processors, part))
	}
	may = true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(line)
			if err != nil {
				return false, true
			}
			with := expr.Eval(func(tag string) bool { return isBuilt(tag) || !slices.Contains(systems, tag) })
			without := expr.Eval(isBuilt)
			return sure && with && without, with || without
		}
	}
	return sure, true
}

// isBuilt reports whether every build on Linux by Go's own compiler has a tag.
func isBuilt(tag string) bool {
	release, isRelease := strings.CutPrefix(tag, "go1.")
	n, err := strconv.Atoi(release)
	return tag == "linux" || tag == "unix" || tag == "gc" || isRelease && err == nil && n <= knownRelease
}
