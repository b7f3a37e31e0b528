package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestDocsAreFresh compares docs/rules.md with the built-in files themselves, not with the blob of an older build.
func TestDocsAreFresh(t *testing.T) {
	b := readBuiltins(t)
	roleSet, err := NewRoleSet(b.Roles)
	if err != nil {
		t.Fatal(err)
	}
	var roles []Role
	for _, r := range roleSet.Roles() {
		roles = append(roles, *r)
	}
	want := Markdown(allWith(b), roles)
	path := filepath.Join("..", "docs", "rules.md")
	if *update {
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
