package declared

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

// TestBuiltinRulesAreFresh reads builtin/*.yaml and roles.yaml as any rule file is read and compares builtin.bin with
// them.
func TestBuiltinRulesAreFresh(t *testing.T) {
	fresh := readBuiltins(t)
	want := writeBlob(t, fresh)
	if *rulestest.Update {
		if err := os.WriteFile("builtin.bin", want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if builtinBlob != string(want) {
		t.Error("builtin.bin is stale: make docs")
	}
	var got builtins
	if err := readBlob(string(want), &got); err != nil || !reflect.DeepEqual(&got, fresh) {
		t.Errorf("the blob does not hold what was written into it: %v", err)
	}
}

func TestTheHeadOfABuiltinRuleIsThatOfItsDefinition(t *testing.T) {
	for _, r := range embedded().Rules {
		if def := fromBlob[RuleDef](r.Def)(); r.Head.ID == "" || !reflect.DeepEqual(&r.Head, def.head()) {
			t.Errorf("%+v is the head of %+v", r.Head, def)
		}
	}
}

func TestBlobsThatAreCutOrChangedAreErrors(t *testing.T) {
	type both struct {
		Roles []match.RoleDef
		Rules []RuleDef
	}
	want := &both{Roles: []match.RoleDef{{Name: "a", Idle: true, Match: []match.Match{{
		At: []string{"b", "c", "b"}, Count: match.Range{Min: 1, Max: -1}, Labels: map[string]string{"k": "v", "b": "c"},
	}}}}, Rules: []RuleDef{{ProfileDef: ProfileDef{Shares: hotspot.Shares{Low: 0.25}}}}}
	blob := writeBlob(t, want)
	var got both
	if err := readBlob(string(blob), &got); err != nil || !reflect.DeepEqual(&got, want) {
		t.Fatalf("read %+v, %v", got, err)
	}
	for i := range blob {
		if err := readBlob(string(blob[:i]), new(both)); err == nil {
			t.Errorf("a blob that ends after byte %d was read", i)
		}
		changed := slices.Clone(blob)
		changed[i] = 0xff
		_ = readBlob(string(changed), new(both)) // it may be another value, or none
	}
}

func TestBuiltinFilesLoad(t *testing.T) {
	for _, r := range embedded().Rules {
		if _, err := compileRule(fromBlob[RuleDef](r.Def)()); err != nil {
			t.Errorf("rule %s: %v", r.Head.ID, err)
		}
	}
	if _, err := match.NewRoleSet(Roles().Defs()); err != nil {
		t.Error(err)
	}
}

// TestTheTextsOfBuiltinRulesAreShort fills placeholders in as documentation does.
func TestTheTextsOfBuiltinRulesAreShort(t *testing.T) {
	for _, r := range embedded().Rules {
		def := fromBlob[RuleDef](r.Def)()
		w, err := compileWords(def)
		if err != nil {
			t.Fatal(err)
		}
		known := placeholdersOf(def)
		rulestest.CheckWords(t, def.ID, inSentences(w.Title, known), inSentences(w.Why, known), inSentences(w.Fix, known))
		if doubted := def.Living > 0 || def.NotMain || len(def.Purpose) > 0; doubted && def.Against == "" ||
			strings.HasSuffix(strings.TrimSpace(def.Against), ".") || len(strings.Fields(def.Against)) > 25 {
			t.Errorf("%s: what speaks against it: %q", def.ID, def.Against)
		}
	}
}

// rolesFile holds the built-in roles.
var rolesFile = filepath.Join("..", "match", "roles.yaml")

// readBuiltins reads the built-in files. A test fails over them with the place of the fault.
func readBuiltins(t *testing.T) *builtins {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	slices.Sort(files)
	b, roles := &builtins{}, []match.RoleDef{}
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
			b.Rules = append(b.Rules, builtinRule{*def.Rules[i].head(), string(writeBlob(t, &def.Rules[i]))})
		}
		roles = append(roles, def.Roles...)
	}
	b.Roles = string(writeBlob(t, &roles))
	return b
}

// A blobWriter writes a value as blobReader describes.
type blobWriter struct {
	body    []byte
	strings []string
	indices map[string]uint64
}

// writeBlob writes the value behind a pointer.
func writeBlob(t *testing.T, from any) []byte {
	t.Helper()
	w := &blobWriter{indices: map[string]uint64{}}
	if !w.value(reflect.ValueOf(from).Elem()) {
		t.Fatal("a value of a kind that blobs can't hold")
	}
	out := binary.AppendUvarint(nil, uint64(len(w.strings)))
	for _, s := range w.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	return append(append(out, strings.Join(w.strings, "")...), w.body...)
}

func (w *blobWriter) number(n uint64) { w.body = binary.AppendUvarint(w.body, n) }

// value writes v and reports whether it could.
func (w *blobWriter) value(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		i, ok := w.indices[v.String()]
		if !ok {
			i = uint64(len(w.strings))
			w.indices[v.String()], w.strings = i, append(w.strings, v.String())
		}
		w.number(i)
	case reflect.Bool:
		if !v.Bool() {
			w.number(0)
			break
		}
		w.number(1)
	case reflect.Int:
		w.number(uint64(v.Int()))
	case reflect.Float64:
		w.number(math.Float64bits(v.Float()))
	case reflect.Slice:
		w.number(uint64(v.Len()))
		for i := range v.Len() {
			if !w.value(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		w.number(uint64(len(keys)))
		for _, k := range keys {
			if !w.value(k) || !w.value(v.MapIndex(k)) {
				return false
			}
		}
	case reflect.Struct:
		return w.fields(v)
	default:
		return false
	}
	return true
}

func (w *blobWriter) fields(v reflect.Value) bool {
	var present uint64
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			present |= 1 << i
		}
	}
	w.number(present)
	for i := range v.NumField() {
		if present&(1<<i) != 0 && !w.value(v.Field(i)) {
			return false
		}
	}
	return v.NumField() <= 64
}
