package jsonspan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSkipValue(t *testing.T) {
	for text, want := range map[string]int{
		``: Cut, `"a`: Cut, `"a\`: Cut, `"a\"`: Cut, `{"a":[1,2}`: Cut, `[[]`: Cut, `{"a":"}`: Cut,
		`,`: Broken, `}`: Broken, `@`: Broken,
		`"a\\"x`: 5, `"a\"b"`: 6, `{"a":"}\\"} `: 11, `[1,[2]] `: 7, `-1.5e+3,`: 7, `null}`: 4, `12`: 2,
		strings.Repeat("[", MaxDepth+1):                                 Broken,
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth):   2 * MaxDepth,
		`"` + strings.Repeat(`\"`, 1000):                                Cut,
		`{"k:{\"name\":\"web\"}":{},"x":"a\u0022b","\\":{"y":"\\\""}}:`: 60,
	} {
		if got := SkipValue([]byte(text), 0); got != want {
			t.Errorf("%.40s: %d, want %d", text, got, want)
		}
	}
}

func TestMembersFollowTheGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "", "{ \n}": "", `{"a":1}`: "a", "{\t\"a\" : [1] ,\r\n \"b\":{}}": "a b", `{"":0,"c":"}"}`: " c",
		`{"a":1 "b":2}`: "a broken", `{,"a":1}`: "broken", `{"a":1,}`: "a broken", `{"a" 1}`: "broken", `{1:2}`: "broken",
		`{`: "cut", `{"a`: "cut", `{"a"`: "cut", `{"a": `: "cut", `{"a":1`: "a cut", `{"a":1, `: "a cut", `{"a":"b`: "a cut",
		"{\"a\":1\v,\"b\":2}": "a broken",
	} {
		var got []string
		end := EachMember([]byte(text), 0, func(key []byte, v int) int {
			got = append(got, string(key))
			return SkipValue([]byte(text), v)
		})
		switch {
		case end == Cut:
			got = append(got, "cut")
		case end == Broken:
			got = append(got, "broken")
		case end != len(text):
			t.Errorf("%s ends at %d", text, end)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", text, s, want)
		}
	}
}

func TestElementsFollowTheGrammar(t *testing.T) {
	for text, want := range map[string]int{
		"[]": 0, "[ ]": 0, "[1]": 1, "[1, [2,3],{}]": 3, "[1 2]": -1, "[,1]": 1, "[1,": -1, "[": -1, "[1,2": -1,
	} {
		n, i := 0, 1
		for {
			at, more := Element([]byte(text), i)
			if at < 0 {
				n = -1
			} else if more {
				n++
				if i = SkipValue([]byte(text), at); i >= 0 {
					continue
				}
			}
			break
		}
		if n != want {
			t.Errorf("%s: %d elements, want %d", text, n, want)
		}
	}
}

func TestAppendUnquoted(t *testing.T) {
	for raw, want := range map[string]string{
		`plain`: "plain", `\"\\\/\b\f\n\r\t`: "\"\\/\b\f\n\r\t", `\u00e9\uD83D\uDE00`: "é😀", `\ud83d`: "�", `\ude00x`: "�x",
		`\ud83d\n`: "�\n", `\ud83d\u0041`: "�A", `\q`: `\q`, `\u12`: `\u12`, `\u12g4`: `\u12g4`, `a\`: `a\`,
	} {
		if got := string(AppendUnquoted([]byte("="), []byte(raw))); got != "="+want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestAnEscapeInPiecesWaitsForItsEnd(t *testing.T) {
	const whole = `\ud83d\ude00`
	for n := range len(whole) {
		if _, got := AppendEscape(nil, []byte(whole[:n]), true); got != Cut {
			t.Errorf("%s: %d", whole[:n], got)
		}
	}
	if out, n := AppendEscape(nil, []byte(whole), true); string(out) != "😀" || n != len(whole) {
		t.Errorf("%q, %d", out, n)
	}
	if out, n := AppendEscape(nil, []byte(`\ud83dx`), true); string(out) != "�" || n != 6 {
		t.Errorf("%q, %d", out, n)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{`200,`: 200, `-1`: 0, `1.5`: 0, `"7"`: 0, `1234567890`: 0, `0`: 0, `null`: 0} {
		if got, end := Number([]byte(text), 0); got != want || end != len(strings.TrimSuffix(text, ",")) {
			t.Errorf("%s: %d, end %d", text, got, end)
		}
	}
}

// FuzzSpans holds the positions of what encoding/json accepts against it; of other text, that nothing panics and that
// pieces are spanned like the whole.
func FuzzSpans(f *testing.F) {
	f.Add([]byte(" {\"a\": [1, -2.5e+7, \"x\\\"\\\\\", {\"\\u00e9\": null}], \"\": true}\r\n\t"), 3)
	f.Add([]byte(`["\ud83d\ude00", "\ud83d", {"k:{\"name\"}":{}}, [[]], "}"]`), 1)
	f.Add([]byte(`{"a":1 "b":[}`), 2)
	f.Add([]byte("{\"a\"\v:1}"), 5)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		i := SkipSpace(b, 0)
		end := SkipValue(b, i)
		if json.Valid(b) {
			if SkipSpace(b, end) != len(b) {
				t.Fatalf("the value ends at %d of %d", end, len(b))
			}
			sameSpans(t, b, i)
		} else if json.Valid(b[i:max(i, end)]) {
			sameSpans(t, b[:end], i)
		}
		touch(b, i)
		if i < len(b) {
			inPieces(t, b[i:], max(1, cut))
		}
	})
}

// sameSpans compares the value at b[i], which is valid, with what encoding/json reads, part by part.
func sameSpans(t *testing.T, b []byte, i int) {
	end := SkipValue(b, i)
	raw := b[i:end]
	switch b[i] {
	case '{':
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := map[string]int{} // the last of one name counts
		after := EachMember(b, i, func(key []byte, v int) int {
			name := string(AppendUnquoted(nil, key))
			got[strings.ToValidUTF8(name, "�")] = v
			return SkipValue(b, v)
		})
		if after != end {
			t.Fatalf("%s: its members end at %d, it at %d", raw, after, end)
		}
		if !utf8.Valid(raw) {
			return // encoding/json replaces each invalid byte of a name
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d members, want %d", raw, len(got), len(want))
		}
		for name, v := range got {
			if !bytes.Equal(b[v:SkipValue(b, v)], want[name]) {
				t.Fatalf("%s: %q is %s, want %s", raw, name, b[v:SkipValue(b, v)], want[name])
			}
			sameSpans(t, b, v)
		}
	case '[':
		var want []json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		n := 0
		for j := i + 1; ; n++ {
			at, more := Element(b, j)
			if !more {
				if at != end || n != len(want) {
					t.Fatalf("%s: %d elements end at %d, want %d at %d", raw, n, at, len(want), end)
				}
				return
			}
			j = SkipValue(b, at)
			if n == len(want) || !bytes.Equal(b[at:j], want[n]) {
				t.Fatalf("%s: element %d is %s", raw, n, b[at:j])
			}
			sameSpans(t, b, at)
		}
	case '"':
		var want string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if got := string(AppendUnquoted(nil, raw[1:len(raw)-1])); utf8.Valid(raw) && got != want {
			t.Fatalf("%s: %q, want %q", raw, got, want)
		}
	default:
		if !json.Valid(raw) {
			t.Fatalf("%q is no value", raw)
		}
	}
}

// touch walks what need not be JSON, for its panics.
func touch(b []byte, i int) {
	for j := i; j < min(len(b), i+256); j++ {
		AppendUnquoted(nil, b[j:min(len(b), j+16)])
		AppendEscape(nil, b[j:], true)
		Member(b, j)
		Element(b, j)
		Number(b, j)
	}
}

// inPieces holds a Skipper that is fed cut bytes at a time against SkipValue.
func inPieces(t *testing.T, b []byte, cut int) {
	want := SkipValue(b, 0)
	var s Skipper
	for at := 0; at < len(b); at += cut {
		piece := b[at:min(len(b), at+cut)]
		switch end := s.Feed(piece); {
		case end >= 0 && at+end != want, end == Broken && want != Broken:
			t.Fatalf("in pieces of %d: %d, want %d", cut, at+end, want)
		case end != Cut:
			return
		}
	}
	if want == Broken || want >= 0 && !(s.EndsWithText() && want == len(b)) {
		t.Fatalf("in pieces of %d no end, want %d", cut, want)
	}
}
