package source

import (
	"go/build/constraint"
	"slices"
	"strconv"
	"strings"
)

// A truth is whether a file is part of a build of which only its system is known.
type truth int8

const (
	no truth = iota - 1
	maybe
	yes
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

// A constraints is what a file's name and its text demand of a build.
type constraints []constraint.Expr

// constraintOf reads the constraints of a file. One that can't be read is a tag that is not known.
func constraintOf(name, text string) constraints {
	var all constraints
	for i, part := range strings.Split(strings.TrimSuffix(name, ".go"), "_") {
		if i > 0 && (part == "linux" || slices.Contains(systems[:14], part) || slices.Contains(processors, part)) {
			all = append(all, &constraint.TagExpr{Tag: part})
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(line)
			if err != nil {
				expr = &constraint.TagExpr{Tag: line}
			}
			return append(all, expr)
		}
	}
	return all
}

// eval is whether all constraints hold in a build with the tags, which are known besides those of every build.
func (c constraints) eval(tags map[string]truth) truth {
	result := yes
	for _, expr := range c {
		result = min(result, evalTags(expr, tags))
	}
	return result
}

// implied are the tags that a build has, or doesn't have, if it has the file; certain reports that every build has it.
func (c constraints) implied() (tags map[string]truth, certain bool) {
	tags = map[string]truth{}
	for _, expr := range c {
		switch expr := expr.(type) {
		case *constraint.TagExpr:
			tags[expr.Tag] = yes
		case *constraint.NotExpr:
			if tag, ok := expr.X.(*constraint.TagExpr); ok {
				tags[tag.Tag] = no
			}
		}
	}
	return tags, c.eval(nil) == yes
}

func evalTags(expr constraint.Expr, tags map[string]truth) truth {
	switch expr := expr.(type) {
	case *constraint.AndExpr:
		return min(evalTags(expr.X, tags), evalTags(expr.Y, tags))
	case *constraint.OrExpr:
		return max(evalTags(expr.X, tags), evalTags(expr.Y, tags))
	case *constraint.NotExpr:
		return -evalTags(expr.X, tags)
	case *constraint.TagExpr:
		return tagOf(expr.Tag, tags)
	}
	return maybe
}

// tagOf is whether a build on Linux by Go's own compiler has a tag.
func tagOf(tag string, tags map[string]truth) truth {
	if known, ok := tags[tag]; ok {
		return known
	}
	release, isRelease := strings.CutPrefix(tag, "go1.")
	n, err := strconv.Atoi(release)
	switch {
	case tag == "linux", tag == "unix", tag == "gc", isRelease && err == nil && n <= knownRelease:
		return yes
	case slices.Contains(systems, tag):
		return no
	}
	return maybe
}
