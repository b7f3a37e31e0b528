package phrase

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCut holds that what is cut is one line within its bound, and that cutting again changes nothing.
func FuzzCut(f *testing.F) {
	f.Add("a panic's\ntext", 7)
	f.Add("世界 \xff\xfe e\u0301", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 2 + max(n%300, -n%300)
		for _, got := range []string{Cut(s, n), strings.Trim(Quoted(s), "“”")} {
			most := max(n, MaxQuoted)
			if strings.ContainsAny(got, "\n\r") || utf8.RuneCountInString(got) > most {
				t.Fatalf("%q: %q", s, got)
			}
		}
		got := Cut(s, n)
		if utf8.RuneCountInString(got) > n || Cut(got, n) != got {
			t.Fatalf("%q: %q, %q", s, got, Cut(got, n))
		}
		if title := CutTitle(s); utf8.RuneCountInString(title) > MaxTitle || CutTitle(title) != title {
			t.Fatalf("%q: %q", s, title)
		}
	})
}
