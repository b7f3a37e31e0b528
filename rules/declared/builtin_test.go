package declared

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

// TestBuiltinRulesAreFresh reads *.yaml and roles.yaml as any rule file is read and compares the embedded JSON with
// them.
func TestBuiltinRulesAreFresh(t *testing.T) {
	defs, roles := readBuiltins(t)
	for _, tt := range []struct {
		file     string
		embedded []byte
		fresh    any
	}{{"builtin-rules.json", builtinRules, defs}, {"builtin-roles.json", builtinRoles, roles}} {
		want := withoutZeros(t, tt.fresh)
		if *rulestest.Update {
			if err := os.WriteFile(tt.file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(tt.embedded, want) {
			t.Errorf("%s is stale: make docs", tt.file)
		}
	}
}

// withoutZeros is a list as JSON, an element a line, without what a reader leaves zero anyway.
func withoutZeros(t *testing.T, list any) []byte {
	t.Helper()
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var elements []any
	if err := json.Unmarshal(data, &elements); err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(elements))
	for i := range elements {
		dropZeros(elements[i])
		line, err := json.Marshal(elements[i])
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(line)
	}
	return []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n")
}

// dropZeros drops the members of objects that are zero and reports whether nothing is left.
func dropZeros(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, member any) bool { return dropZeros(member) })
		return len(v) == 0
	case []any:
		for i := range v {
			dropZeros(v[i])
		}
		return len(v) == 0
	default:
		return v == nil || v == "" || v == 0.0 || v == false
	}
}

// Built-in rules are held against all that `triage rules test` doubts, but for fixtures: package all knows those.
func TestBuiltinRulesLoadWithoutDoubts(t *testing.T) {
	for _, def := range read[[]*RuleDef](builtinRules)() {
		if _, _, err := compileRule(def); err != nil {
			t.Errorf("rule %s: %v", def.ID, err)
		}
		l := linter{def: def, say: func(field, format string, args ...any) {
			t.Errorf("rule %s: %s: %s", def.ID, field, fmt.Sprintf(format, args...))
		}}
		l.rule(nil)
	}
	if _, err := match.NewRoleSet(Roles().Defs()); err != nil {
		t.Error(err)
	}
}

func TestWhatSpeaksAgainstABuiltinRuleIsOnePhrase(t *testing.T) {
	for _, def := range read[[]*RuleDef](builtinRules)() {
		if doubted := def.Living > 0 || def.NotMain || len(def.Purpose) > 0; doubted && def.Against == "" ||
			strings.HasSuffix(strings.TrimSpace(def.Against), ".") || len(strings.Fields(def.Against)) > 25 {
			t.Errorf("%s: what speaks against it: %q", def.ID, def.Against)
		}
	}
}

// rolesFile holds the built-in roles.
var rolesFile = filepath.Join("..", "match", "roles.yaml")

// readBuiltins reads the built-in files. A test fails over them with the place of the fault.
func readBuiltins(t *testing.T) (defs []*RuleDef, roles []match.RoleDef) {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	slices.Sort(files)
	for _, name := range append(files, rolesFile) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := ruleFile{name: name, data: data}
		def, err := src.read()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := src.build(def, true); err != nil {
			t.Fatal(err)
		}
		if name == rolesFile != (len(def.Roles) > 0) {
			t.Errorf("%s: roles belong into match/roles.yaml", name)
		}
		for i := range def.Rules {
			defs = append(defs, &def.Rules[i])
		}
		roles = append(roles, def.Roles...)
	}
	return defs, roles
}
