package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// manifestHead names the columns.
const manifestHead = "file\tprogram\tkind\tgo\tformat\tgoroutines\tculprit\tcategory\trule\n"

// An entry is a line of the manifest.
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

// updateManifest replaces the lines of the files that were made, keeps the others, and sorts them.
func updateManifest(path string, made []entry) error {
	lines := map[string]string{}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	columns := strings.Count(manifestHead, "\t") + 1
	_, rows, _ := strings.Cut(string(old), "\n")
	for _, line := range strings.Split(rows, "\n") {
		file, _, ok := strings.Cut(line, "\t")
		if ok {
			lines[file] = line + strings.Repeat("\t", max(0, columns-1-strings.Count(line, "\t")))
		}
	}
	for _, e := range made {
		if e.format == table {
			continue
		}
		goroutines := "-"
		if e.goroutines >= 0 {
			goroutines = fmt.Sprint(e.goroutines)
		}
		file := strings.TrimSuffix(e.file, ".gz") // gen/pack takes it off
		lines[file] = strings.Join([]string{file, e.program, e.kind, e.version, e.format, goroutines, e.culprit, e.category, e.rule}, "\t")
	}
	sorted := make([]string, 0, len(lines))
	for _, line := range lines {
		sorted = append(sorted, line+"\n")
	}
	sort.Strings(sorted)
	return os.WriteFile(path, []byte(manifestHead+strings.Join(sorted, "")), 0o644)
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
