package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// manifestHead names the columns.
const manifestHead = "file\tkind\tprofile\tgo\ttopic\tculprit\tcategory\tsamples\tshare\town\n"

// An entry is a line of the manifest.
type entry struct {
	file, kind, profile, version, topic, culprit, category string
	samples, share, own                                    string
}

func (e entry) String() string {
	return strings.Join([]string{e.file, e.kind, e.profile, e.version, e.topic, e.culprit, e.category, e.samples, e.share, e.own}, "\t")
}

// updateManifest replaces the lines of the files that were made, keeps the others' whose files are there, and sorts them.
func updateManifest(path string, made []entry) error {
	lines := map[string]string{}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	_, rows, _ := strings.Cut(string(old), "\n")
	for _, line := range strings.Split(rows, "\n") {
		file, _, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), file)); err == nil {
			lines[file] = line
		}
	}
	for _, e := range made {
		lines[e.file] = e.String()
	}
	sorted := make([]string, 0, len(lines))
	for _, line := range lines {
		sorted = append(sorted, line+"\n")
	}
	sort.Strings(sorted)
	return os.WriteFile(path, []byte(manifestHead+strings.Join(sorted, "")), 0o644)
}
