package source

import (
	"slices"
	"strings"
	"testing"
)

func TestArgumentsHaveNamesAndTypesWhereTheyMapWithCertainty(t *testing.T) {
	const code = `package klog

import "context"

type Count int
type Pair struct{ a, b int }

func (t *T) Get(ctx context.Context, key string, n int8, list []byte, ok bool, err error) {
}
func (p Pair) Sum(c Count, _ func(), m map[string]int, rest ...any) {
}
func Plain(u uint32, i int, x, y *T) {
}
func Array(a [2]int, s struct{}, c chan int, f float64, d context.CancelFunc) {
}
`
	tests := []struct {
		fn    string
		line  int
		words string
		want  string // "" for none
	}{
		{"(*T).Get", 9, "0xc000010000, {0xa40, 0xc000020000}, {0xc000030000, 0x16}, 0xff, {0x1, 0x3, 0x8}, 0x1?, {0x0, 0x0}",
			"t *T|ctx context.Context|key string 22 bytes|n int8 -1|list []byte len 3|ok bool true?|err error nil"},
		{"(*T).Get", 9, "0x0, {0xa40, 0xc000020000?}, {0xc000030000, 0x16?}, ...",
			"t *T nil|ctx context.Context|key string 22 bytes?"},
		{"(*T).Get", 9, "0x0, {0xa40, 0xc000020000}, 0x16, 0x1, 0x1, 0x1, 0x1", ""}, // a word is no string
		{"(*T).Get", 9, "0x0, {0xa40, 0x1}", ""},                                    // too few, and not cut
		{"(*T).Get", 9, "", ""},
		{"Pair.Sum", 11, "{0x1, 0x2}, 0x3, 0xc000010000, 0xc000020000, {0x0, 0x0, 0x0}",
			"p Pair|c Count|_ func()|m map[string]int|rest ...any"},
		{"Pair.Sum", 11, "0x1, 0x3, 0xc000010000, 0xc000020000, {0x0, 0x0, 0x0}", ""},      // a struct has braces
		{"Pair.Sum", 11, "{0x1, 0x2}, {0x3, 0x4}, 0xc000010000, 0x1, {0x0, 0x0, 0x0}", ""}, // Count is a word
		{"Plain", 13, "0xffffffff, 0xfffffffffffffffd, 0x0, 0xc000010000", "u uint32 4294967295|i int -3|x *T nil|y *T"},
		{"Plain", 13, "0x1, 0x80000000, 0x0, _", "u uint32 1|i int|x *T nil|y *T"}, // of 32 or 64 bits: not known
		{"Plain", 13, "0x1, 0x2, 0x0, 0x1, 0x0", ""},                               // too many
		{"Plain", 13, "std::string, int, x, y", ""},
		{"Plain", 13, "{0x1, 0x2, 0x3, 0x4", ""},
		{"Plain", 13, "0x1}, 0x2, 0x3, 0x4", ""},
		{"Plain.func1", 13, "0x1, 0x2, 0x0, 0x1", ""}, // a closure's parameters are others
		{"(*T[...]).Get", 9, "0x788860, {0xa40, 0xc000020000}, {0xc000030000, 0x16}, 0xff, {0x1, 0x3, 0x8}, 0x1, {0x0, 0x0}", ""},
		{"Array", 15, "{0x1, 0x2}, {}, 0xc000010000, 0x3ff0000000000000, 0x1",
			"a [2]int|s struct{}|c chan int|f float64|d context.CancelFunc"},
	}
	dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog/v2\n", "klog.go": code})
	for _, tt := range tests {
		ask := at("k8s.io/klog/v2."+tt.fn, "/w/klog.go", tt.line)
		ask.Words, ask.Goroutine = tt.words, 7
		a := show(t, ask, dir)
		if a.Code == nil {
			t.Fatalf("not found: %s", a.Reason)
		}
		var got []string
		for _, arg := range a.Code.Args {
			got = append(got, strings.TrimSpace(arg.Name+" "+arg.Type+" "+arg.Value))
		}
		if got := strings.Join(got, "|"); got != tt.want {
			t.Errorf("%s(%s): %q, want %q", tt.fn, tt.words, got, tt.want)
		}
		if (a.Code.Goroutine == 7) != (tt.want != "") {
			t.Errorf("%s(%s): words of goroutine %d", tt.fn, tt.words, a.Code.Goroutine)
		}
	}
}

// FuzzSplitWords checks that words are taken whole: joined again they are the list, apart from blanks.
func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{"0x1, {0x2?, _}, ...", "{}, {{0x1, ...}, 0x2}", "...", "{", "a b, c", "0x1,,0x2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		words, whole := splitWords(list)
		if len(words) == 0 {
			return
		}
		parts := slices.Clone(words)
		if !whole {
			parts = append(parts, "...")
		}
		plain := func(s string) string { return strings.NewReplacer(" ", "", ",", "").Replace(s) }
		if got, want := plain(strings.Join(parts, "")), plain(list); got != want {
			t.Errorf("%q became %q", list, parts)
		}
		for _, w := range words {
			value(w, "string")
			value(w, "int")
		}
	})
}
