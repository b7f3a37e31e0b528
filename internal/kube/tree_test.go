package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// value is a node as ordinary values: maps, lists and texts, nil for null. Of two equal keys the first counts.
func (t *tree) value(n int32) any {
	nd := &t.nodes[n]
	switch nd.kind {
	case mapNode:
		m := map[string]any{}
		for c := nd.child; c != 0; c = t.nodes[c].next {
			if k := string(t.key(c)); !has(m, k) {
				m[k] = t.value(c)
			}
		}
		return m
	case seqNode:
		l := []any{}
		for c := nd.child; c != 0; c = t.nodes[c].next {
			l = append(l, t.value(c))
		}
		return l
	case opaqueNode:
		return "(opaque)"
	}
	if nd.style == plain && isNull(t.raw(n)) {
		return nil
	}
	return string(t.text(n))
}

func has(m map[string]any, k string) bool { _, ok := m[k]; return ok }

func TestYAMLIsReadAsKubernetesToolsWriteIt(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"a mapping", "a: 1\nb: two words\n", map[string]any{"a": "1", "b": "two words"}},
		{"entries at their key's column", "a:\n- 1\n- b: c\n  d: e\nf: g\n", map[string]any{"a": []any{"1", map[string]any{"b": "c", "d": "e"}}, "f": "g"}},
		{"entries indented", "a:\n    - 1\n    - 2\nb: c", map[string]any{"a": []any{"1", "2"}, "b": "c"}},
		{"lists in lists", "- - 1\n  - 2\n- - 3\n", []any{[]any{"1", "2"}, []any{"3"}}},
		{"null in all its forms", "a:\nb: ~\nc: null\nd: \"\"\ne: ''\n", map[string]any{"a": nil, "b": nil, "c": nil, "d": "", "e": ""}},
		{"quoted", `a: "x\ty\u00e9\"z"` + "\nb: 'it''s'\n\"c d\": 1\n", map[string]any{"a": "x\tyé\"z", "b": "it's", "c d": "1"}},
		{"a literal", "a: |-\n  [{\n    \"x\": 1\n  }]\nb: |\n  one\n\n  two\nc: |+\n  x\n\nd: e\n", map[string]any{"a": "[{\n  \"x\": 1\n}]", "b": "one\n\ntwo\n", "c": "x\n\n", "d": "e"}},
		{"a literal that begins with spaces", "a: |2-\n    x\n   y\nb: c\n", map[string]any{"a": "  x\n y", "b": "c"}},
		{"folded", "a: >-\n  one\n  two\n\n  three\nb: c\n", map[string]any{"a": "one two\nthree", "b": "c"}},
		{"long texts on many lines", "a: one two\n  three\nb: \"four\n  five\\\n  \\ six\"\nc: 'seven\n\n  eight'\n", map[string]any{"a": "one two three", "b": "four five six", "c": "seven\neight"}},
		{"on one line", "a: {b: c, d: [1, \"2\", {e: f}], g: \"h: i\"}\nj: []\nk: {}\n", map[string]any{"a": map[string]any{"b": "c", "d": []any{"1", "2", map[string]any{"e": "f"}}, "g": "h: i"}, "j": []any{}, "k": map[string]any{}}},
		{"JSON inside", "a: {\"b\": [1,\n  2], \"c\":\"d\"}\n", map[string]any{"a": map[string]any{"b": []any{"1", "2"}, "c": "d"}}},
		{"comments", "# one\na: b # two\n\n# three\nc: d#e\n", map[string]any{"a": "b", "c": "d#e"}},
		{"keys with dots, slashes and colons", "a.b/c: 1\nx:y: 2\n", map[string]any{"a.b/c": "1", "x:y": "2"}},
		{"Windows line ends", "a: b\r\nc:\r\n- d\r\n", map[string]any{"a": "b", "c": []any{"d"}}},
		{"a document that is a text", "just words\n", "just words"},
		{"texts with signs", "a: -x\nb: ?y\nc: :z\nd: a: b: c\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := tree{whole: true}
			root, _, err := tr.parse([]byte(c.text))
			if c.want == nil {
				if err == nil {
					_ = tr.value(root) // tolerated: no tool writes it
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, tr.value(root)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestYAMLThatKubernetesToolsDoNotWriteIsCounted(t *testing.T) {
	for name, text := range map[string]string{
		"anchors and aliases": "a: &x {b: c}\nd: *x\n", "tags": "a: !!str 1\n",
		"merge keys": "a: &x\n  b: 1\nd:\n  <<: *x\n",
	} {
		r := NewReader(NewStore(0))
		if err := r.Read("x", strings.NewReader("kind: ConfigMap\nmetadata: {name: x}\n"+text)); err != nil {
			t.Fatal(err)
		}
		if c := Merge([]*Objects{r.Close()}); len(c.Others) != 0 || len(c.Cut) != 1 {
			t.Errorf("%s: objects %v, cut %v", name, c.Others, c.Cut)
		}
	}
}

func TestDeepNestingCostsNothing(t *testing.T) {
	const deep = 100_000
	for name, text := range map[string]string{
		"JSON":             strings.Repeat("[", deep),
		"JSON objects":     strings.Repeat(`{"a":`, deep),
		"YAML dashes":      strings.Repeat("- ", deep) + "a",
		"YAML brackets":    "a: " + strings.Repeat("[", deep),
		"YAML tags":        "a: " + strings.Repeat("!t ", deep),
		"YAML keys":        strings.Repeat("? ", deep),
		"YAML block depth": strings.Repeat("- \n ", 50),
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(NewStore(0))
			_ = r.Read("x", strings.NewReader(text)) // an error is as good as none: it ends
			if o := r.Close(); len(o.objects) > 0 {
				t.Errorf("%d objects", len(o.objects))
			}
		})
	}
}

// FuzzYAMLAgrees writes values with another package's encoder, in its styles, and reads them back.
func FuzzYAMLAgrees(f *testing.F) {
	for _, s := range []string{
		`{"a": 1, "b": [{"c": "d", "e": "f"}], "g": null, "h": {}, "i": []}`, `{"a": "x\n  y\n", "b": "two\nlines", "c": "\n\nz"}`, `[[1, [2]], [], [{"a": []}]]`,
		`{"a b": "it's \"so\"", "c: d": "# no", "e": "- f", "g": " h ", "i": "", "j": "null", "k": "yes: no", "l": "[x]", "m": "é\u0001"}`,
		`{"message": "0/3 nodes are available: 3 Insufficient memory."}`, `{"t": "2026-03-04T05:00:00Z", "n": "12", "b": "true", "x": "*a", "y": "&b", "z": "!c"}`,
	} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, style uint8) {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var want any
		if len(text) > 4096 || !utf8.Valid(text) || !json.Valid(text) || dec.Decode(&want) != nil || depth(want) > 20 {
			return
		}
		options := []yaml.EncodeOption{yaml.Indent(2 + int(style>>2&3)), yaml.IndentSequence(style&1 == 0)}
		if style&2 != 0 {
			options = append(options, yaml.UseLiteralStyleIfMultiline(true))
		}
		if style&16 != 0 {
			options = append(options, yaml.Flow(true))
		}
		written, err := yaml.MarshalWithOptions(plainNumbers(want), options...)
		if err != nil {
			return
		}
		// What the encoder writes wrong shows when it is read by its own decoder.
		var back any
		if yaml.Unmarshal(written, &back) != nil || !cmp.Equal(fmt.Sprint(back), fmt.Sprint(plainNumbers(want))) {
			return
		}
		own := tree{whole: true}
		root, _, err := own.parse(written)
		if err != nil {
			return // it is counted as not read
		}
		if diff := cmp.Diff(texts(want), own.value(root)); diff != "" {
			t.Errorf("%q: written (-), the own reader (+):\n%s", written, diff)
		}
	})
}

// plainNumbers writes numbers as texts, which no decoder rounds.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = plainNumbers(e)
		}
		return m
	case []any:
		l := []any{}
		for _, e := range v {
			l = append(l, plainNumbers(e))
		}
		return l
	case json.Number:
		return string(v)
	}
	return v
}

// FuzzYAMLEnds reads any bytes: the parser ends, and every span lies inside the text.
func FuzzYAMLEnds(f *testing.F) {
	for _, s := range []string{"a: 1\nb:\n- c: d\n", "a: |-\n  x\n   y\nb: >\n c\n", "a: {b: [c, 'd'], e: f}\n", "- - a\n-\n  b: \"c\n d\"\n", "a: &x [*x]\n", ":", "? a\n", "a:\n\tb"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, whole := range []bool{true, false} {
			tr := tree{whole: whole}
			if root, _, err := tr.parse(text); err == nil {
				_ = tr.value(root)
			}
		}
	})
}

// FuzzJSONAgrees holds the own reader against encoding/json.
func FuzzJSONAgrees(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, "x\u00e9\ud83d\ude00", null, true], "b": {"c": -1.5e3}}`, `[]`, `"\\\""`, ` {"a":{}} `, `[[[]]]`, "\r0",
		"\t\r{\"a\":1}", "\"\"\r ",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var want any
		if !utf8.Valid(text) || !json.Valid(text) || dec.Decode(&want) != nil {
			own := tree{whole: true}
			_, _, _ = own.parse(text) // it ends
			return
		}
		if depth(want) >= maxDepth {
			return
		}
		if depth(want) == 0 {
			text = bytes.Trim(text, " \n\t\r") // around a scalar YAML reads these otherwise, and no object is a scalar
		}
		own := tree{whole: true}
		root, cut, err := own.parse(text)
		if err != nil || cut {
			t.Fatalf("%q: %v, cut %v", text, err, cut)
		}
		if own.keyTwice() {
			return // encoding/json takes the last of two, the tree the first
		}
		if diff := cmp.Diff(texts(want), texts(own.value(root))); diff != "" {
			t.Errorf("%q: encoding/json (-), the own reader (+):\n%s", text, diff)
		}
	})
}

// keyTwice reports a mapping with two equal keys.
func (t *tree) keyTwice() bool {
	for n := range t.nodes {
		if t.nodes[n].kind != mapNode {
			continue
		}
		keys := map[string]bool{}
		for c := t.nodes[n].child; c != 0; c = t.nodes[c].next {
			k := strings.ToValidUTF8(string(t.key(c)), "\uFFFD")
			if keys[k] {
				return true
			}
			keys[k] = true
		}
	}
	return false
}

// texts are values with scalars as the tree has them.
func texts(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[strings.ToValidUTF8(k, "\uFFFD")] = texts(e)
		}
		return m
	case []any:
		l := []any{}
		for _, e := range v {
			l = append(l, texts(e))
		}
		return l
	case json.Number:
		return string(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	}
	return v
}

func depth(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n = max(n, depth(e))
		}
	case []any:
		for _, e := range v {
			n = max(n, depth(e))
		}
	default:
		return 0
	}
	return n + 1
}
