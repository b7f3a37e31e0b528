package redact

import (
	"reflect"
	"strings"
)

// Know makes t look for the names of hosts that the caller knows of.
func (t *Text) Know(hosts ...string) {
	for _, h := range hosts {
		t.learnHost([]byte(h))
	}
}

// Values redacts every string that can be reached through v, a pointer: fields, elements, values of maps. Of structs,
// fields that hold code or identify (JSON names function, package, file, fingerprint, schema, version, rule) stay, but
// for users' folders; one called node holds a host. Fields that aren't exported stay. Values is for reports: redacted
// before they are laid out, their lines and columns fit.
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
			switch {
			case !f.IsExported() || has(identifying, name):
			case name == "file" && v.Field(i).Kind() == reflect.String:
				v.Field(i).SetString(t.codePath(v.Field(i).String()))
			case name == "labels" && v.Field(i).Kind() == reflect.Slice:
				t.labels(v.Field(i))
			default:
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

// codePath replaces a user's folder in the path of a file of code, which stays otherwise.
func (t *Text) codePath(path string) string {
	if strings.Contains(path, "/home/") || strings.Contains(path, "Users") {
		return t.String(path)
	}
	return path
}

// labels replaces the values of a profile's or a goroutine's labels: programs put names of customers there. The keys
// stay.
func (t *Text) labels(list reflect.Value) {
	for i := range list.Len() {
		switch label := list.Index(i); label.Kind() {
		case reflect.String: // key: value, several of them behind commas
			label.SetString(t.labelled(label.String()))
		case reflect.Struct:
			if value := label.FieldByName("Value"); value.Kind() == reflect.String && value.String() != "" {
				value.SetString(t.label(value.String()))
			}
		default:
			t.value(label, false)
		}
	}
}

// labelled replaces the values of `key: value, key: value`, quoted or not.
func (t *Text) labelled(set string) string {
	parts := strings.Split(set, ", ")
	for i, p := range parts {
		m := labelValue().FindStringSubmatchIndex(p)
		parts[i] = p[:m[2]] + t.label(p[m[2]:m[3]]) + p[m[3]:]
	}
	return strings.Join(parts, ", ")
}

// labelValue is what follows a key, or the rest of a value with a comma.
var labelValue = onUse(`^(?:[^:]*: ?)?"?(.*?)"?$`)

var identifying = wordSet("function package fingerprint schema version rule")
