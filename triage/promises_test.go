package triage_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEveryPromiseOfSecurityNamesATestThatExists(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		for _, m := range function.FindAllStringSubmatch(readFile(t, path), -1) {
			declared[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, promises, _ := strings.Cut(readFile(t, "../SECURITY.md"), "## What stops them")
	promises, _, _ = strings.Cut(promises, "\n## ")
	rows := 0
	for line := range strings.Lines(promises) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || strings.HasPrefix(line, "| promise") {
			continue
		}
		rows++
		named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("no test shows: %s", cells[0])
		}
		for _, m := range named {
			if !declared[m[1]] {
				t.Errorf("there is no %s", m[1])
			}
		}
	}
	if rows < 15 {
		t.Errorf("%d promises", rows)
	}
}
