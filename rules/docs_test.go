package rules

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

var update = flag.Bool("update", false, "write builtin.bin and docs/rules.md anew")

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

// TestTheDocumentedRuleFileLoads reads the example in docs/own-rules.md and holds its lists against the code.
func TestTheDocumentedRuleFileLoads(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "own-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc = bytes.ReplaceAll(doc, []byte("\r\n"), []byte("\n"))
	_, after, _ := bytes.Cut(doc, []byte("```yaml\n"))
	example, _, found := bytes.Cut(after, []byte("```\n"))
	if !found {
		t.Fatal("there is no example")
	}
	f, err := Load("acme.yaml", example)
	if err != nil {
		t.Fatal(err)
	}
	if err := Validate(append(All(), f.Rules...)); err != nil {
		t.Error(err)
	}
	words := []string{joinClasses()}
	for _, p := range append(placeholders(), profilePlaceholders()...) {
		words = append(words, "`{"+p.name+"}`")
	}
	for _, name := range nextNames() {
		words = append(words, "`"+name+"`")
	}
	for i := range reflect.TypeFor[Match]().NumField() {
		words = append(words, "| `"+reflect.TypeFor[Match]().Field(i).Tag.Get("yaml")+"` |")
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[StackMatch](), reflect.TypeFor[ProfileDef]()} {
		for i := range typ.NumField() {
			words = append(words, "| `"+typ.Field(i).Tag.Get("yaml")+"` |")
		}
	}
	for i := range reflect.TypeFor[Env]().NumField() {
		words = append(words, "`"+reflect.TypeFor[Env]().Field(i).Tag.Get("expr"))
	}
	for _, w := range words {
		if !bytes.Contains(doc, []byte(w)) {
			t.Errorf("docs/own-rules.md does not mention %s", w)
		}
	}
}
