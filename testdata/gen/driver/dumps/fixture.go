package dumps

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A how says what is done with a program to get its dump.
type how string

const (
	abort how = "abort" // wait until the program is ready, send SIGABRT
	quit  how = "quit"  // wait until the program is ready, send SIGQUIT
	dies  how = "dies"  // let it run to its end
	tests how = "tests" // a test binary's output, by `go test`
	hangs how = "hangs" // as quit, with a test binary that was built by `go test -c`
)

// A fixture is one file to make (for each Go version), or several where one process leaves several.
type fixture struct {
	name    string   // base name of the file, without the folder of the Go version
	module  string   // folder of testdata/gen with the go.mod
	pkg     string   // package in it, "./zoo"
	kind    string   // the program's argument, and the manifest's kind
	args    []string // instead of kind where a program has flags
	env     []string
	flags   []string // of go build or go test
	how     how
	from    string // first Go version, "1.18"; "" for all
	minors  []int  // the minor versions, where not all between are wanted; nil for all
	samples int    // dumps of as many processes, in the versions from sampled on; 0 is 1
	sampled string // versions that get the samples; "" for all
	want    string // regular expression that the dump must match: where a dump shows what it should only sometimes
	delay   time.Duration

	vendored bool   // built in a GOPATH with a vendor folder
	runnable int    // goroutines that must be runnable or running; 0 for any number
	path     string // the dump's file, relative to the folder of fixtures, where it is not in the version's folder
	also     []side // files that the program itself writes, into the folder that it gets by -profiles

	format   string
	culprit  string // function as the runtime prints it, "-" for none; where there is a rule, those that may be named, separated by "|"
	creator  string // function that started the culprit: named instead in a dump that does not show the culprit's stack
	rule     string // names of the rules that may find it, separated by "|"; "" where the culprit is one function and any rule will do
	category string // a triage category, "none" for a healthy program, "any" where a program has many ills
}

// table is the format of a file that is no dump, and not in the manifest.
const table = "table"

// A side is a file that the program writes beside its dump.
type side struct {
	file, format string
}

// program is the name for the manifest.
func (f fixture) program() string {
	if f.pkg == "." || f.rule != "" {
		return f.module
	}
	return strings.TrimPrefix(f.pkg, "./")
}

// files are the names of the fixture's files for a Go version, the dump first.
func (f fixture) files(v version) []string {
	n := 1
	if f.samples > 1 && (f.sampled == "" || v.minor == mustParse(f.sampled).minor) {
		n = f.samples
	}
	names := []string{f.name + ".txt"}
	for i := 2; i <= n; i++ {
		names = append(names, fmt.Sprintf("%s-%d.txt", f.name, i))
	}
	return names
}

// wanted compiles want.
func (f fixture) wanted() *regexp.Regexp { return regexp.MustCompile(f.want) }

// in says whether the fixture is made with a Go version.
func (f fixture) in(v version) bool {
	if f.minors != nil && !slices.Contains(f.minors, v.minor) {
		return false
	}
	return f.from == "" || v.minor >= mustParse(f.from).minor
}

// A version is a Go release: 1.minor, or 1.minor.patch.
type version struct {
	text  string
	minor int
}

func parseVersion(text string) (version, error) {
	parts := strings.Split(text, ".")
	if len(parts) < 2 || parts[0] != "1" {
		return version{}, fmt.Errorf("%q is no Go version", text)
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return version{}, fmt.Errorf("%q is no Go version: %w", text, err)
	}
	return version{text: text, minor: minor}, nil
}

// mustParse is for versions in the table.
func mustParse(text string) version {
	v, err := parseVersion(text)
	if err != nil {
		panic(err)
	}
	return v
}

// folder is where a version's fixtures lie: the minor version only, so that a newer patch replaces the older.
func (v version) folder() string { return fmt.Sprintf("go1.%d", v.minor) }
