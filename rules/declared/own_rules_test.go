package declared

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
)

// TestTheDocumentedRuleFileLoads reads the example in docs/own-rules.md and holds its lists against the code.
func TestTheDocumentedRuleFileLoads(t *testing.T) {
	doc, f := ownRules(t)
	if err := rules.Validate(f.Rules); err != nil {
		t.Error(err)
	}
	words := []string{match.Join(match.Classes())}
	known := append(placeholders(), hotspot.Placeholders()...)
	for i := 0; i < len(known); i += 2 {
		words = append(words, "`"+known[i]+"`")
	}
	for _, name := range rules.NextNames() {
		words = append(words, "`"+name+"`")
	}
	for i := range reflect.TypeFor[match.Match]().NumField() {
		words = append(words, "| `"+reflect.TypeFor[match.Match]().Field(i).Tag.Get("yaml")+"` |")
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[match.StackMatch](), reflect.TypeFor[hotspot.HotspotDef]()} {
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

// ownRules is the text of docs/own-rules.md and what its example holds.
func ownRules(t *testing.T) ([]byte, *File) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "own-rules.md"))
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
	return doc, f
}
