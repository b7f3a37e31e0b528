package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// allocationSize is TR211.
func allocationSize() *rules.Rule {
	return &rules.Rule{
		ID: idAllocationSize, Name: "allocation-size", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
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
				act: "asks for " + what + " of an impossible size",
				why: fmt.Sprintf("%s%s: %s. The length is negative or beyond all memory: it was read from a "+
					"message, a file header or a subtraction and used unchecked.", g.who(), g.at(),
					phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: fmt.Sprintf("Bound the length before %s and refuse what exceeds it; grow with what really "+
					"arrives (io.LimitReader, append) instead of trusting a header.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
