package crash

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// runtimeFatal is TR223.
func runtimeFatal() *rules.Rule {
	return &rules.Rule{
		ID: idRuntimeFatal, Name: "runtime-fatal", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idRuntimeFatal, nil, func(g *crashGroup) account {
			return account{
				act: "is ended by the runtime: " + g.text,
				why: fmt.Sprintf("The runtime gave up while %s stood in %s%s: %s.", g.goroutine(), g.who(),
					g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: "Look for the text in the Go issue tracker for this release; run with -race; review " +
					"unsafe and cgo near the named line.",
				next:       g.logNext("go test -race ./...", "go version -m BINARY"),
				confidence: rules.ConfMedium,
			}
		}),
	}
}
