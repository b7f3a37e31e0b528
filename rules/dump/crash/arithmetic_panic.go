package crash

import (
	"strings"
)

// explainArithmeticPanic is arithmetic-panic (TR207).
func explainArithmeticPanic(g *crashGroup) account {
	a := account{
		act: "divides by zero",
		why: g.fill("{who}{at} divided an integer (or took a remainder) by a value that is 0: a count or total " +
			"before anything was counted, a setting that is absent."),
		fix:  g.fill("Check the divisor before {line} and decide what the result is when there is nothing to divide by."),
		next: g.logNext(),
	}
	if !strings.Contains(g.text, "divide by zero") {
		a.act = "calculates the impossible: " + g.text
		a.why = g.fill("{who}{at}: {text}.")
		a.fix = g.fill("Check the operand before {line}; use unsigned shift counts.")
	}
	return a
}
