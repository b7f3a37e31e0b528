package agent

import (
	"reflect"
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

// TestOwnWordsAreFieldsOfAReport fails for a name that no field has any more: texts of the renamed field would count as
// a stranger's.
func TestOwnWordsAreFieldsOfAReport(t *testing.T) {
	fields, seen := map[string]bool{}, map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			visit(of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				fields[of.Field(i).Name] = true
				visit(of.Field(i).Type)
			}
		}
	}
	visit(reflect.TypeFor[schema.Report]())
	for _, name := range ownWords {
		if !fields[name] {
			t.Errorf("a report has no field %s", name)
		}
	}
}
