package declared

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	for _, def := range []RuleDef{
		{}, {Objects: &ObjectsAsk{}}, {Logs: &Ask{}}, {Audit: &Ask{}}, {Metrics: &Ask{}},
		{HotspotDef: hotspot.HotspotDef{Kind: "cpu"}},
	} {
		ofCondition := envWords(evidenceOf(&def).env)
		for i, known := 0, placeholdersOf(&def); i < len(known); i += 2 {
			if def.Kind != "" || !slices.Contains(ofCondition, known[i]) {
				words = append(words, "`"+known[i]+"`")
			}
		}
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
	for _, env := range []any{
		Env{}, ObjectEnv{}, ConditionEnv{}, EventEnv{}, ContainerEnv{}, LogEnv{}, AuditEnv{}, MetricEnv{},
	} {
		for i := range reflect.TypeOf(env).NumField() {
			words = append(words, "`"+reflect.TypeOf(env).Field(i).Tag.Get("expr"))
		}
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
