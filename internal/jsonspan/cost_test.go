package jsonspan

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

type costItem struct {
	Name  string     `json:"name"`
	Child *costItem2 `json:"child"`
	IDs   []uint64   `json:"ids"`
	Skip  []string   `json:"-"`
}

type costItem2 struct{ Text string }

// held is what a decoded value takes besides its type, counted from the value.
func held(v reflect.Value) int64 {
	n := int64(0)
	switch v.Kind() {
	case reflect.String:
		n = int64(v.Len())
	case reflect.Pointer:
		if !v.IsNil() {
			n = int64(v.Type().Elem().Size()) + held(v.Elem())
		}
	case reflect.Slice:
		n = int64(v.Cap()) * int64(v.Type().Elem().Size())
		for i := range v.Len() {
			n += held(v.Index(i))
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			n += held(f)
		}
	}
	return n
}

func TestTheCostOfATextIsAtLeastWhatItsValueHolds(t *testing.T) {
	shape := ShapeOf(reflect.TypeFor[[]costItem]())
	for _, text := range []string{
		`[]`, `[{}]`, `[{},{}, null ,{"x":[1,{"ids":[1,2]}]}]`, "[" + strings.Repeat("{},", 3000) + "{}]",
		`[{"name":"` + strings.Repeat("a", 1000) + `","child":{"text":"b"},"ids":[1,2,3]}]`,
		`[{"NAME":"abc","\u006eame":"` + strings.Repeat("d", 500) + `","iDs":[` + strings.Repeat("1,", 999) + `1]}]`,
	} {
		var v []costItem
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%.40s: %v", text, err)
		}
		want := held(reflect.ValueOf(v))
		cost, end := shape.Cost([]byte(text), 0)
		if end != len(text) || cost < want || cost > want*3/2+300 {
			t.Errorf("%.40s: cost %d, end %d of %d; the value holds %d", text, cost, end, len(text), want)
		}
	}
	for _, text := range []string{`[{"name":"a`, `[{"ids":[1,`, `[`} {
		if _, end := shape.Cost([]byte(text), 0); end != Cut {
			t.Errorf("%s: end %d, want Cut", text, end)
		}
	}
	if cost, _ := shape.Cost([]byte(`[1,1,1,1]`), 0); cost < 4*shape.element.size {
		t.Errorf("numbers in the place of structs cost %d", cost)
	}
}
