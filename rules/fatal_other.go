package rules

import "fmt"

// runtimeFatal is TR223.
func runtimeFatal() *Rule {
	return &Rule{
		ID: idRuntimeFatal, Name: "runtime-fatal", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Doc: Doc{
			Title:          "The runtime ended the process with a fatal error that no other rule explains",
			Why:            "Fatal errors are checks of the runtime that cannot be recovered. The culprit is the nearest frame of the goroutine that was running which is not the runtime's own.",
			Fix:            "Read the text, look for it in the Go issue tracker, and rule out unsafe, cgo and data races.",
			FalsePositives: "The named frame is where the runtime gave up; the cause may lie elsewhere.",
			Refs:           []string{"https://go.dev/issue", "https://pkg.go.dev/runtime#hdr-Environment_Variables"},
		},
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
