package redact

import (
	"reflect"
	"strings"
)

// Know makes t look for the names of hosts that the caller knows of.
func (t *Text) Know(hosts ...string) {
	l := nameHints{t.lex, map[string]bool{}}
	for _, h := range hosts {
		l.host([]byte(h))
	}
	l.apply(t)
}

// Values redacts every string that can be reached through v, a pointer: fields, elements, values of maps. Of structs,
// fields that hold code or identify (JSON names function, package, file, fingerprint, schema, version, rule) stay; one
// called node holds a host. Fields that aren't exported stay. Values is for reports: redacted before they are laid out,
// their lines and columns fit.
func (t *Text) Values(v any) {
	t.value(reflect.ValueOf(v), false)
}

func (t *Text) value(v reflect.Value, host bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			t.value(v.Elem(), host)
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			n := reflect.New(v.Elem().Type()).Elem()
			n.Set(v.Elem())
			t.value(n, host)
			v.Set(n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !has(identifying, name) {
				t.value(v.Field(i), name == "node")
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			t.value(v.Index(i), host)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			n := reflect.New(v.Type().Elem()).Elem()
			n.Set(v.MapIndex(k))
			t.value(n, host)
			v.SetMapIndex(k, n)
		}
	case reflect.String:
		switch s := v.String(); {
		case !v.CanSet() || s == "":
		case host: // however plain
			v.SetString(strings.TrimPrefix(t.String("host="+s), "host="))
		default:
			v.SetString(t.String(s))
		}
	}
}

var identifying = wordSet("function package file fingerprint schema version rule")
