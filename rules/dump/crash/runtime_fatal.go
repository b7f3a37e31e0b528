package crash

import (
	"github.com/gotriage/triage/rules"
)

// explainRuntimeFatal is runtime-fatal (TR223).
func explainRuntimeFatal(g *crashGroup) account {
	return account{
		act: "is ended by the runtime: " + g.text,
		why: g.fill("The runtime gave up while {goroutine} stood in {who}{at}: {text}."),
		fix: "Look for the text in the Go issue tracker for this release; run with -race; review " +
			"unsafe and cgo near the named line.",
		next:       g.logNext("go test -race ./...", "go version -m BINARY"),
		confidence: rules.ConfMedium,
	}
}
