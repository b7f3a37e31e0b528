package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzWrap holds that lines fit, that nothing but white space is lost between them, and that what is cut fits too.
func FuzzWrap(f *testing.F) {
	f.Add("Wait on a channel, a sync.Cond or a context", 13)
	f.Add("世界世界世界 e\u0301e\u0301 \u200b", 8)
	f.Add("sh -c 'one two' \"a \\\" b\" c\\ d", 18)
	f.Fuzz(func(t *testing.T, text string, w int) {
		text, w = Escape(text), 8+max(w%200, -w%200)
		squeezed := func(s string) string { return strings.Join(strings.Fields(s), "") }
		lines := wrap(text, w)
		for _, l := range lines {
			if width(l) > w {
				t.Fatalf("%q has %d columns, not %d", l, width(l), w)
			}
		}
		if got := squeezed(strings.Join(lines, "")); got != squeezed(text) {
			t.Fatalf("%q became %q", text, got)
		}
		for _, s := range []string{cut(text, w, "…"), cutLeft(text, w, "…")} {
			if width(s) > w || !utf8.ValidString(s) {
				t.Fatalf("%q has %d columns, not %d", s, width(s), w)
			}
		}
		// A command's lines, put together as the shell does, are its words.
		command := strings.Join(wrapCommand(text, "", w), "\n")
		command = strings.ReplaceAll(command, " \\\n  ", " ")
		if strings.Contains(command, "\n") || squeezed(command) != squeezed(text) {
			t.Fatalf("%q became %q", text, command)
		}
	})
}
