package declared

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// schemaFile describes rule files for editors. It is made of the Go types and of the tables in docs/own-rules.md.
var schemaFile = filepath.Join("..", "..", "docs", "rules.schema.json")

type object = map[string]any

// A schemaMaker makes the schema of a type.
type schemaMaker struct {
	docs     map[string]map[string]string // by the head of a table's first column: what its fields hold
	required map[reflect.Type][]string
}

func (m *schemaMaker) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[match.Match]():
		return object{"$ref": "#/$defs/match"}
	case enums()[t] != nil:
		return object{"enum": enums()[t]}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": m.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.Struct:
		return m.structure(t)
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Bool:
		return object{"type": "boolean"}
	}
	return object{"type": "string"}
}

func (m *schemaMaker) structure(t reflect.Type) object {
	properties := object{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if options == "inline" {
			inner := m.structure(f.Type)
			maps.Copy(properties, inner["properties"].(object))
			continue
		}
		of := m.of(f.Type)
		if text := m.docs[tables()[t]][name]; text != "" {
			of["description"] = text
		}
		properties[name] = of
	}
	out := object{"type": "object", "additionalProperties": false, "properties": properties}
	if r := m.required[t]; len(r) > 0 {
		out["required"] = r
	}
	return out
}

// enums are the types whose values are listed.
func enums() map[reflect.Type][]any {
	list := func(text string) (all []any) {
		for v := range strings.SplitSeq(text, ", ") {
			all = append(all, v)
		}
		return all
	}
	return map[reflect.Type][]any{
		reflect.TypeFor[rules.Category]():   list(match.Join(rules.Categories())),
		reflect.TypeFor[rules.Severity]():   list("critical, high, medium, low, info"),
		reflect.TypeFor[rules.Confidence](): list("high, medium, low"),
		reflect.TypeFor[stackparse.Class](): list(match.Join(match.Classes())),
		reflect.TypeFor[profile.Kind]():     list("cpu, heap, allocs, mutex, block"),
	}
}

// tables are the heads of the tables in docs/own-rules.md that describe a type's fields.
func tables() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[RuleDef]():            "field of a rule",
		reflect.TypeFor[match.Match]():        "field",
		reflect.TypeFor[match.StackMatch]():   "field of `stacks`",
		reflect.TypeFor[hotspot.HotspotDef](): "field of a profile's rule",
		reflect.TypeFor[match.RoleDef]():      "field of a role",
	}
}

// fieldTables reads the tables of a text whose rows begin with a field.
func fieldTables(text string) map[string]map[string]string {
	all := map[string]map[string]string{}
	var table map[string]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		switch {
		case !strings.HasPrefix(line, "| ") || len(cells) != 2:
			if !strings.HasPrefix(line, "|---") {
				table = nil
			}
		case table == nil:
			table = map[string]string{}
			if head := strings.TrimSpace(cells[0]); all[head] == nil {
				all[head] = table
			}
		default:
			table[strings.Trim(cells[0], " `")] = strings.ReplaceAll(strings.TrimSpace(cells[1]), "`", "")
		}
	}
	return all
}

// schemaOfRules is the schema of a rule file. A rule's required fields are those without which it is refused.
func schemaOfRules(t *testing.T) object {
	t.Helper()
	doc, f := ownRules(t)
	m := &schemaMaker{docs: fieldTables(string(doc)), required: map[reflect.Type][]string{
		reflect.TypeFor[match.RoleDef]():  {"name", "doc", "match"},
		reflect.TypeFor[hotspot.Shares](): {"low"},
		reflect.TypeFor[Ask]():            {"when"},
		reflect.TypeFor[ObjectsAsk]():     {"when"},
	}}
	for typ, head := range tables() {
		for i := range typ.NumField() {
			name := typ.Field(i).Tag.Get("yaml")
			if !strings.HasPrefix(name, ",") && m.docs[head][name] == "" {
				t.Errorf("docs/own-rules.md: the table %q does not describe %s", head, name)
			}
		}
	}
	typ := reflect.TypeFor[RuleDef]()
	for i := range typ.NumField() {
		def := f.def.Rules[0]
		reflect.ValueOf(&def).Elem().Field(i).SetZero()
		if err := checkRule(&def); err != nil {
			m.required[typ] = append(m.required[typ], typ.Field(i).Tag.Get("yaml"))
		}
	}
	file := m.structure(reflect.TypeFor[fileDef]())
	properties := file["properties"].(object)
	rule := properties["rules"].(object)["items"].(object)
	of := rule["properties"].(object)
	of["id"].(object)["pattern"], of["name"].(object)["pattern"] = `^[A-Z][A-Z0-9]{0,15}[0-9]{3,5}$`,
		`^[a-z0-9]+(-[a-z0-9]+)*$`
	of["next"].(object)["items"] = object{"enum": rules.NextNames()}
	of["needs"].(object)["items"] = object{"enum": []string{"dump", "cause"}}
	needs := func(fields ...string) object { return object{"required": fields} }
	rule["oneOf"] = []object{
		{"anyOf": []object{needs("match"), needs("when")}}, needs("profile"), needs("objects"),
		needs("logs"), needs("audit"), needs("metrics"),
	}
	rule["dependentRequired"] = object{"profile": []string{"stacks", "shares"}}
	properties["fixtures"].(object)["description"] = "Fixtures besides FILE.txtar and FILE-near*.txtar: globs below the file's folder."
	file["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	file["$id"] = "https://raw.githubusercontent.com/gotriage/triage/main/docs/rules.schema.json"
	file["title"] = "A rule file of triage (docs/own-rules.md)"
	file["$defs"] = object{"match": m.structure(reflect.TypeFor[match.Match]())}
	return file
}

func TestTheSchemaOfRulesIsFresh(t *testing.T) {
	want, err := json.MarshalIndent(schemaOfRules(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *rulestest.Update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Error("docs/rules.schema.json is stale: make docs")
	}
}

// schema compiles the published schema.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// held is what a schema says of a YAML text.
func held(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestTheSchemaHoldsForEveryRuleFile(t *testing.T) {
	s := schema(t)
	files, err := filepath.Glob("*.yaml")
	skeletons, _ := filepath.Glob("skeleton/*/rule.yaml")
	if err != nil || len(files) == 0 || len(skeletons) != len(SkeletonKinds()) {
		t.Fatalf("%d files, %d skeletons: %v", len(files), len(skeletons), err)
	}
	for _, name := range slices.Concat(files, skeletons, []string{rolesFile}) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("@ID@"), []byte("OWN001")), []byte("@NAME@"),
			[]byte("own"))
		if err := held(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{"whole": whole, "profile": wholeProfileRule} {
		if err := held(t, s, []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSchemaRefusesWhatIsRefused(t *testing.T) {
	s := schema(t)
	for _, change := range [][2]string{
		{"severity: medium", "sevrity: medium"}, {"severity: medium", "severity: bad"}, {"category: leak",
			"category: leek"},
		{"id: ACME001", "id: acme"}, {"[chan send]", "[chan sent]"}, {"next: [logs]", "next: [rm]"},
		{"    fix: close the channel in {creator}\n", ""}, {"count: {min: 2}", "count: {min: many}"},
		{"    when: count", "    profile: cpu\n    when: count"},
		{"    when: count > 1 and goroutines >= count\n", "    when: count > 1\n    objects: {when: 'true'}\n"},
	} {
		text := strings.Replace(whole, change[0], change[1], 1)
		if text == whole {
			t.Fatalf("%q is not there", change[0])
		}
		_, err := Load("mine.yaml", []byte(text))
		invalid := held(t, s, []byte(text))
		if _, ok := errors.AsType[*jsonschema.ValidationError](invalid); err == nil || !ok {
			t.Errorf("%q: refused %v, by the schema %v", change[1], err, invalid)
		}
	}
}
