package crash

import (
	"strings"

	"github.com/gotriage/triage/rules"
)

// explainBounds is index-out-of-range (TR203).
func explainBounds(g *crashGroup) account {
	a := account{
		act: "indexes out of range",
		fix: g.fill("Check the length before {line}, and decide what a too short value means there (an error, " +
			"most often)."),
	}
	switch {
	case strings.Contains(g.text, "slice bounds out of range"):
		a.act = "slices out of bounds"
	case strings.Contains(g.text, "cannot convert slice"):
		a.act = "converts a slice that is too short to an array"
	case strings.Contains(g.text, "unsafe."):
		a.act = "makes an unsafe slice or string of an impossible length"
	}
	if i := strings.LastIndex(g.text, "out of range ["); i >= 0 {
		a.act += " " + g.text[i+len("out of range "):]
	}
	a.why = g.fill("{who}{at}: {text}.")
	switch {
	case strings.Contains(g.text, "[-"):
		a.why += " A negative index comes from a subtraction or from a search that found nothing (-1)."
	case strings.Contains(g.text, "with length 0"):
		a.why += " The value is empty: nothing was there to take the first element of."
	}
	a.next = g.logSteps(rules.Command("go test -race ./...").Note("is the slice shared between goroutines?"))
	return a
}
