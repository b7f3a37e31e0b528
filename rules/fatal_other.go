package rules

import "fmt"

// runtimeFatal is TR223.
func runtimeFatal() *Rule {
	return &Rule{
		ID: idRuntimeFatal, Name: "runtime-fatal", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Run: crashRun(idRuntimeFatal, nil, func(g *crashGroup) account {
			return account{
				act:        "is ended by the runtime: " + g.text,
				why:        fmt.Sprintf("The runtime gave up while %s stood in %s%s: %s.", g.goroutine(), g.who(), g.at(), cut(g.text, maxQuoted)),
				fix:        "Look for the text in the Go issue tracker for this release; run with -race; review unsafe and cgo near the named line.",
				next:       g.logNext("go test -race ./...", "go version -m BINARY"),
				confidence: ConfMedium,
			}
		}),
	}
}
