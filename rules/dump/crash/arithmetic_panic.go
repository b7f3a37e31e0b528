package crash

import (
	"strings"
)

// explainArithmeticPanic is arithmetic-panic (TR207).
func explainArithmeticPanic(g *crashGroup) account {
	a := account{
		act: "divides by zero",
		why: g.say("{who}{at} divided an integer (or took a remainder) by a value that is 0: a count or total " +
			"before anything was counted, a setting that is absent."),
		fix:  g.say("Check the divisor before {line} and decide what the result is when there is nothing to divide by."),
		next: g.logNext(),
	}
	if !strings.Contains(g.text, "divide by zero") {
		a.act = "calculates the impossible: " + g.text
		a.why = g.say("{who}{at}: {text}.")
		a.fix = g.say("Check the operand before {line}; use unsigned shift counts.")
	}
	return a
}
