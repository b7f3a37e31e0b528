package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// arithmeticPanic is TR207.
func arithmeticPanic() *rules.Rule {
	return &rules.Rule{
		ID: idArithmeticPanic, Name: "arithmetic-panic", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idArithmeticPanic, nil, func(g *crashGroup) account {
			a := account{
				act: "divides by zero",
				why: fmt.Sprintf("%s%s divided an integer (or took a remainder) by a value that is 0: a count or "+
					"total before anything was counted, a setting that is absent.", g.who(), g.at()),
				fix: fmt.Sprintf("Check the divisor before %s and decide what the result is when there is nothing "+
					"to divide by.", g.line()),
				next: g.logNext(),
			}
			if !strings.Contains(g.text, "divide by zero") {
				a.act = "calculates the impossible: " + g.text
				a.why = fmt.Sprintf("%s%s: %s.", g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted))
				a.fix = fmt.Sprintf("Check the operand before %s; use unsigned shift counts.", g.line())
			}
			return a
		}),
	}
}
