package rules

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTheGeneratedRulesAreFresh reads builtin/*.yaml and roles.yaml as any rule file is read, and holds builtin_gen.go against
// them: reading their YAML takes 40 ms, which is many times what a small profile takes.
func TestTheGeneratedRulesAreFresh(t *testing.T) {
	var out bytes.Buffer
	out.WriteString("// Code generated from builtin/*.yaml and roles.yaml by go test ./rules -run TestTheGenerated -update; DO NOT EDIT.\n\npackage rules\n\n" +
		"import \"github.com/gotriage/triage/stackparse\"\n\n")
	files, err := filepath.Glob("builtin/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	slices.Sort(files)
	var defs []RuleDef
	for _, name := range files {
		def := readDef(t, name)
		if len(def.Roles) > 0 {
			t.Errorf("%s: roles belong into roles.yaml", name)
		}
		defs = append(defs, def.Rules...)
	}
	docs := make([]Doc, len(defs))
	for i := range defs {
		r, err := compileRule(&defs[i])
		if err != nil {
			t.Fatal(err) // readDef compiled it already
		}
		docs[i] = r.Doc
	}
	// Literals at the level of the package are part of the program's data: they cost nothing when it starts.
	for _, v := range []struct {
		doc, name string
		value     any
	}{
		{"the declarative rules of builtin/*.yaml", "builtinDefs", defs},
		{"their documentation, in the same order", "builtinDocs", docs},
		{"the roles of roles.yaml", "builtinRoleDefs", readDef(t, "roles.yaml").Roles},
	} {
		fmt.Fprintf(&out, "// %s are %s. Nothing changes them.\nvar %s = ", v.name, v.doc, v.name)
		writeGo(&out, reflect.ValueOf(v.value))
		out.WriteString("\n\n")
	}
	want, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("builtin_gen.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("builtin_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Error("builtin_gen.go is stale: go test ./rules -run TestTheGenerated -update")
	}
}

// readDef reads a built-in file; what is wrong with it is told with its line.
func readDef(t *testing.T, name string) *fileDef {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load(name, data, true); err != nil {
		t.Fatal(err)
	}
	src := source{name: name, data: data}
	def, err := src.read()
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// writeGo writes a value as a Go literal without the fields that are zero. Definitions hold texts, numbers, lists, maps of
// texts and each other.
func writeGo(out *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		out.WriteString(strconv.Quote(v.String()))
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Uint8, reflect.Uint64, reflect.Float64:
		fmt.Fprint(out, v) // not its Interface: fields may be unexported
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Int32 {
			writeNumbers(out, v)
			return
		}
		out.WriteString(goType(v.Type()) + "{")
		for i := range v.Len() {
			var elem bytes.Buffer
			writeGo(&elem, v.Index(i))
			// A list's elements don't repeat its type.
			out.WriteString("\n" + strings.TrimPrefix(elem.String(), goType(v.Type().Elem())) + ",")
		}
		out.WriteString("\n}")
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		out.WriteString(goType(v.Type()) + "{")
		for _, k := range keys {
			fmt.Fprintf(out, "%q: %q,", k.String(), v.MapIndex(k).String())
		}
		out.WriteString("}")
	case reflect.Struct:
		// Entries of tables take a line each.
		sep, end := "\n", ",\n}"
		out.WriteString(goType(v.Type()) + "{")
		n := 0
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			if n++; n > 1 {
				out.WriteString(",")
			}
			out.WriteString(sep + v.Type().Field(i).Name + ": ")
			writeGo(out, v.Field(i))
		}
		if n == 0 {
			end = "}"
		}
		out.WriteString(end)
	default:
		panic("a definition holds a " + v.Kind().String())
	}
}

// writeNumbers writes a list of numbers, several a line.
func writeNumbers(out *bytes.Buffer, v reflect.Value) {
	const line = 24
	out.WriteString(goType(v.Type()) + "{")
	for i := range v.Len() {
		if i%line == 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(out, "%d, ", v.Index(i).Int())
	}
	out.WriteString("\n}")
}

// goType is a type's name inside this package.
func goType(typ reflect.Type) string {
	return strings.ReplaceAll(typ.String(), "rules.", "")
}
