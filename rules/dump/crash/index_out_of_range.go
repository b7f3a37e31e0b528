package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// indexOutOfRange is TR203.
func indexOutOfRange() *rules.Rule {
	return &rules.Rule{
		ID: idIndexOutOfRange, Name: "index-out-of-range", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idIndexOutOfRange, nil, explainBounds),
	}
}

func explainBounds(g *crashGroup) account {
	a := account{
		act: "indexes out of range",
		fix: fmt.Sprintf("Check the length before %s, and decide what a too short value means there (an error, most "+
			"often).", g.line()),
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
	a.why = fmt.Sprintf("%s%s: %s.", g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted))
	switch {
	case strings.Contains(g.text, "[-"):
		a.why += " A negative index comes from a subtraction or from a search that found nothing (-1)."
	case strings.Contains(g.text, "with length 0"):
		a.why += " The value is empty: nothing was there to take the first element of."
	}
	a.next = g.logSteps(rules.Command("go test -race ./...").Note("is the slice shared between goroutines?"))
	return a
}
