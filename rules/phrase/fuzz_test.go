package phrase

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCut holds that what is cut is one line within its bound, that cutting again changes nothing, and that a name
// without its middle is found again.
func FuzzCut(f *testing.F) {
	f.Add("a panic's\ntext", 7)
	f.Add("Pod prometheus-rancher-monitoring-prometheus-db-0 waits", 40)
	f.Add("prometheus-rancher-monitoring-prometheus-db-prometheus-0", 40)
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
		if fits := Fit(s, n); utf8.RuneCountInString(fits) > n || Fit(fits, n) != fits {
			t.Fatalf("%q: %q, %q", s, fits, Fit(fits, n))
		}
		if name := strings.Trim(s, " /"); utf8.ValidString(name) && n > 2*minName && !strings.ContainsAny(name, " …") {
			if short := Shorten(name, n); Restore("Pod "+short+" waits", name) != "Pod "+name+" waits" {
				t.Fatalf("%q: %q", name, short)
			}
		}
		if title := CutTitle(s); utf8.RuneCountInString(title) > MaxTitle || CutTitle(title) != title {
			t.Fatalf("%q: %q", s, title)
		}
	})
}
