package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestDocsAreFresh(t *testing.T) {
	var roles []Role
	for _, r := range BuiltinRoles().Roles() {
		roles = append(roles, *r)
	}
	want := Markdown(All(), roles)
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
