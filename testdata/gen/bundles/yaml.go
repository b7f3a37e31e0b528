package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// appendYAML writes a value as sigs.k8s.io/yaml does: keys sorted, lists not indented below their key.
func appendYAML(b *bytes.Buffer, v any, indent int) {
	switch v := v.(type) {
	case obj:
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				pad(b, indent)
			}
			b.WriteString(scalar(k))
			b.WriteByte(':')
			appendValue(b, v[k], indent)
		}
	case list:
		for i, e := range v {
			if i > 0 {
				pad(b, indent)
			}
			b.WriteString("- ")
			if !nested(e) {
				b.WriteString(leaf(e, indent+2))
				b.WriteByte('\n')
				continue
			}
			appendYAML(b, e, indent+2)
		}
	}
}

func appendValue(b *bytes.Buffer, v any, indent int) {
	switch e := v.(type) {
	case obj:
		if len(e) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		pad(b, indent+2)
		appendYAML(b, e, indent+2)
	case list:
		if len(e) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		pad(b, indent)
		appendYAML(b, e, indent)
	default:
		b.WriteByte(' ')
		b.WriteString(leaf(v, indent+2))
		b.WriteByte('\n')
	}
}

func nested(v any) bool {
	switch e := v.(type) {
	case obj:
		return len(e) > 0
	case list:
		return len(e) > 0
	}
	return false
}

func leaf(v any, indent int) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "\n") {
			lines := strings.Split(strings.TrimSuffix(v, "\n"), "\n")
			mark := "|-"
			if strings.HasSuffix(v, "\n") {
				mark = "|"
			}
			space := "\n" + strings.Repeat(" ", indent)
			if strings.HasPrefix(v, " ") || strings.HasPrefix(v, "\t") {
				mark = mark[:1] + "2" + mark[1:]
			}
			return mark + space + strings.Join(lines, space)
		}
		return scalar(v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	case obj:
		return "{}"
	case list:
		return "[]"
	}
	return fmt.Sprint(v)
}

// scalar quotes what would be read as something else than the string it is.
func scalar(s string) string {
	switch s {
	case "", "~", "null", "true", "false", "yes", "no", "on", "off", "True", "False", "y", "n":
		return strconv.Quote(s)
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.Quote(s)
	}
	if c := s[0]; strings.IndexByte("-?:,[]{}#&*!|>'\"%@` ", c) >= 0 || c >= '0' && c <= '9' && strings.ContainsAny(s, ":") {
		if c == '"' || c == '{' || c == '[' || c == '\'' {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}
		return strconv.Quote(s)
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

func pad(b *bytes.Buffer, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

// yamlOf is one document.
func yamlOf(v obj) []byte {
	var b bytes.Buffer
	appendYAML(&b, v, 0)
	return b.Bytes()
}
