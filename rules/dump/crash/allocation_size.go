package crash

import (
	"strings"
)

// explainAllocationSize is allocation-size (TR211).
func explainAllocationSize(g *crashGroup) account {
	what := "a slice"
	switch {
	case strings.Contains(g.text, "makechan"):
		what = "a channel"
	case strings.Contains(g.text, "Buffer"), strings.Contains(g.text, "Builder"):
		what = "a buffer"
	case strings.Contains(g.text, "Repeat"):
		what = "a string"
	}
	return account{
		act: "asks for " + what + " of an impossible size",
		why: g.fill("{who}{at}: {text}. The length is negative or beyond all memory: it was read from a message, a " +
			"file header or a subtraction and used unchecked."),
		fix: g.fill("Bound the length before {line} and refuse what exceeds it; grow with what really arrives " +
			"(io.LimitReader, append) instead of trusting a header."),
		next: g.logNext(),
	}
}
