package hotspot

import "testing"

// What pprof makes of a filter: compileTagFilter in its internal/driver.
func TestTagFilterSelectsOneValue(t *testing.T) {
	for value, want := range map[string]string{
		"tenant-1":    "^tenant-1$", // not tenant-19
		"42":          "^42$",       // a text
		"5 ms":        "5ms",        // a number
		"-5 ms":       "-5ms",
		"GET /a(b)?c": `^GET /a\(b\)\?c$`,
		"a,b":         "^a.b$",
	} {
		if got := tagFilter(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
