package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// failedTypeAssertion is TR205.
func failedTypeAssertion() *rules.Rule {
	return &rules.Rule{
		ID: idFailedTypeAssertion, Name: "failed-type-assertion", Category: rules.Crash, Severity: rules.Critical,
		Needs: rules.NeedsCause,
		Run:   crashRun(idFailedTypeAssertion, nil, explainAssertion),
	}
}

func explainAssertion(g *crashGroup) account {
	_, what, _ := strings.Cut(g.text, "interface conversion: ")
	what = strings.ReplaceAll(strings.TrimRight(what, ")\" "), "interface {}", "any")
	a := account{
		act: "asserts a wrong type: " + what,
		why: fmt.Sprintf("%s%s asserted a type that the value does not have: %s.", g.who(), g.at(),
			phrase.Cut(what, phrase.MaxQuoted)),
		fix: fmt.Sprintf("Use `v, ok := x.(T)` or a type switch at %s and return an error for what is not expected.",
			g.line()),
		next: g.logNext(),
	}
	switch {
	case strings.Contains(what, "DeletedFinalStateUnknown"):
		a.fix = fmt.Sprintf("Handle cache.DeletedFinalStateUnknown at %s: an informer hands it to delete handlers "+
			"when it missed the event; take the object from its Obj field.", g.line())
	case strings.Contains(what, " is nil"):
		a.why += " The interface is nil: a key that is absent from a context or a map, or a value that was never " +
			"stored."
	case strings.Contains(what, "missing method"):
		a.why += " Two versions of a type or of its package meet here, or a method was renamed."
	}
	return a
}
