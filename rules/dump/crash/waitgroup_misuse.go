package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// waitGroupMisuse is TR209.
func waitGroupMisuse() *rules.Rule {
	return &rules.Rule{
		ID: idWaitGroupMisuse, Name: "waitgroup-misuse", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idWaitGroupMisuse, nil, func(g *crashGroup) account {
			a := account{
				act: "calls Done more often than Add",
				why: fmt.Sprintf("%s%s took the WaitGroup's counter below zero: a Done on two paths of one "+
					"function, a Done without its Add, or a copied WaitGroup.", g.who(), g.at()),
				fix: "Call Add(1) before each go statement and `defer wg.Done()` once, first thing in the " +
					"goroutine; or use wg.Go. Pass WaitGroups by pointer.",
				next: g.logNext("go vet -copylocks ./...", "go test -race ./..."),
			}
			if !strings.Contains(g.text, "negative") {
				a.act = "adds to a WaitGroup while others wait on it"
				a.why = fmt.Sprintf("%s%s: %s. An Add ran at the same time as Wait, so Wait may return too early.",
					g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted))
				a.fix = "Call Add before Wait can start, never inside the goroutine that it counts; use a new " +
					"WaitGroup for each round."
			}
			return a
		}),
	}
}
