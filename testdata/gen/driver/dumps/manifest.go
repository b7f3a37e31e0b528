package dumps

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/capture"
)

// An entry is a file that was made, for the list.
type entry struct {
	file, program, kind, version, format string
	goroutines                           int // -1 where the format has no headers
	culprit, category, rule              string
}

// countHeaders counts lines that begin as a goroutine's header does, with no parser of the project:
// what `grep -c '^goroutine '` would count, less the one line that has another meaning (a profile's first).
func countHeaders(text []byte, format string) int {
	if format == "debug1" || format == "proto" {
		return -1
	}
	if format == "gotest-json" {
		return bytes.Count(text, []byte(`"Output":"goroutine `))
	}
	n := 0
	for _, line := range bytes.Split(text, []byte("\n")) {
		if format == "cri" {
			if parts := bytes.SplitN(line, []byte(" "), 4); len(parts) == 4 {
				line = parts[3]
			}
		}
		if bytes.HasPrefix(line, []byte("goroutine ")) && !bytes.HasPrefix(line, []byte("goroutine running on other thread")) {
			n++
		}
	}
	return n
}

// labels are the lines of the list of files. Of several functions, all that a developer would take for the place to
// look at, any is right, and any category of what is stuck.
func labels(made []entry) (all []capture.Label) {
	for _, e := range made {
		if e.format == table {
			continue
		}
		goroutines, functions := "-", []string(nil)
		if e.goroutines >= 0 {
			goroutines = fmt.Sprint(e.goroutines)
		}
		if e.culprit != "-" {
			functions = strings.Split(e.culprit, "|")
		}
		category, least := []string{e.category}, ""
		if e.rule != "" {
			category, least = []string{"deadlock", "leak", "contention"}, "medium"
		}
		all = append(all, capture.Label{{"name", strings.TrimSuffix(e.file, ".gz")}, {"program", e.program + "/" + e.kind},
			{"kind", "dump"}, {"form", e.format}, {"root_cause", capture.Label{{"category", capture.OneOf(category)},
				{"function", capture.OneOf(functions)}}},
			{"min_severity", least}, {"about", capture.Label{{"go", e.version}, {"goroutines", goroutines}, {"rule", e.rule}}}})
	}
	return all
}

// machinePaths are what no fixture may hold: the folders of this machine that a build could leave. Go before 1.13 cannot
// trim the standard library's paths: those fixtures have /usr/local/go, where the official images have it.
func machinePaths(gen string) ([]string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	return []string{filepath.Dir(filepath.Dir(gen)) + "/", home + "/", strings.TrimSuffix(os.TempDir(), "/") + "/", "/pkg/mod/"}, nil
}

// checkPaths reports a path of this machine in a file.
func checkPaths(file string, paths []string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if bytes.Contains(text, []byte(path)) {
			return fmt.Errorf("%s holds a path of this machine: %s", file, path)
		}
	}
	return nil
}
