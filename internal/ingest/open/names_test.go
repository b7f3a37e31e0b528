package open

import (
	"strings"
	"testing"
)

func TestNoNameInAnArchiveLeadsOutOfIt(t *testing.T) {
	for in, want := range map[string]struct {
		name string
		out  bool
	}{
		"../../etc/passwd":        {"etc/passwd", true},
		"/etc/passwd":             {"etc/passwd", true},
		`..\..\windows\win.ini`:   {"windows/win.ini", true},
		`C:\temp\a.log`:           {"temp/a.log", true},
		"logs/../../a.log":        {"a.log", true},
		"a/./b//c/../d.log":       {"a/b/d.log", false},
		"./a.log":                 {"a.log", false},
		"a\x1b[31m\n.log":         {"a?[31m?.log", false},
		"..":                      {"(no name)", true},
		"":                        {"(no name)", false},
		"\xff\xfe.log":            {"?.log", false},
		"ok/" + "é.log":           {"ok/é.log", false},
		strings.Repeat("x", 5000): {"…" + strings.Repeat("x", maxEntryName), false},
	} {
		if got, out := entryName(in); got != want.name || out != want.out {
			t.Errorf("%q: %q, %v, want %q, %v", in, got, out, want.name, want.out)
		}
	}
}
