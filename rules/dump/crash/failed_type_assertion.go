package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
)

// explainAssertion is failed-type-assertion (TR205).
func explainAssertion(g *crashGroup) account {
	_, what, _ := strings.Cut(g.text, "interface conversion: ")
	what = strings.ReplaceAll(strings.TrimRight(what, ")\" "), "interface {}", "any")
	a := account{
		act: "asserts a wrong type: " + what,
		why: fmt.Sprintf("%s%s asserted a type that the value does not have: %s.", g.who(), g.at(),
			phrase.Cut(what, phrase.MaxQuoted)),
		fix:  g.fill("Use `v, ok := x.(T)` or a type switch at {line} and return an error for what is not expected."),
		next: g.logNext(),
	}
	switch {
	case strings.Contains(what, "DeletedFinalStateUnknown"):
		a.fix = g.fill("Handle cache.DeletedFinalStateUnknown at {line}: an informer hands it to delete handlers when " +
			"it missed the event; take the object from its Obj field.")
	case strings.Contains(what, " is nil"):
		a.why += " The interface is nil: a key that is absent from a context or a map, or a value that was never " +
			"stored."
	case strings.Contains(what, "missing method"):
		a.why += " Two versions of a type or of its package meet here, or a method was renamed."
	}
	return a
}
