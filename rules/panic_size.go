package rules

import (
	"fmt"
	"strings"
)

// allocationSize is TR211.
func allocationSize() *Rule {
	return &Rule{
		ID: idAllocationSize, Name: "allocation-size", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Run: crashRun(idAllocationSize, nil, func(g *crashGroup) account {
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
				act:  "asks for " + what + " of an impossible size",
				why:  fmt.Sprintf("%s%s: %s. The length is negative or beyond all memory: it was read from a message, a file header or a subtraction and used unchecked.", g.who(), g.at(), cut(g.text, maxQuoted)),
				fix:  fmt.Sprintf("Bound the length before %s and refuse what exceeds it; grow with what really arrives (io.LimitReader, append) instead of trusting a header.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
