package all

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestDocsAreFresh(t *testing.T) {
	var roles []rules.Role
	for _, r := range declared.Roles().Roles() {
		roles = append(roles, *r)
	}
	want := markdown(Rules(), roles, filesOf(t, Rules()), samples(t, Rules()))
	path := filepath.Join("..", "..", "docs", "rules.md")
	if *rulestest.Update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("%s is stale: make docs", path)
	}
}

// filesOf returns the file of each rule by its id, below rules/: the one that is named after it, that has its name as a
// field, or as "busy-wait (TR101)" in the comment of the function that explains it; failing that the one with its
// texts.
func filesOf(t *testing.T, all []*rules.Rule) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || e.IsDir() || ext != ".go" && ext != ".yaml" && ext != ".md" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, r := range all {
			name := `Name: "` + r.Name + `"`
			if ext == ".yaml" { // with its id: a role may have the name of a rule
				name = "id: " + r.ID + "\n    name: " + r.Name + "\n"
			}
			file := strings.ReplaceAll(r.Name, "-", "_") + ".go"
			if bytes.Contains(text, []byte(name)) || filepath.Base(path) == file ||
				bytes.Contains(text, []byte(" is "+r.Name+" ("+r.ID+").")) {
				files[r.ID] = strings.TrimPrefix(filepath.ToSlash(path), "../")
			} else if ext == ".md" && files[r.ID] == "" && bytes.Contains(text, []byte("# "+r.Name+"\n")) {
				files[r.ID] = strings.TrimPrefix(filepath.ToSlash(path), "../")
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if files[r.ID] == "" {
			t.Errorf("rule %s (%s): no file names it", r.ID, r.Name)
		}
	}
	return files
}
