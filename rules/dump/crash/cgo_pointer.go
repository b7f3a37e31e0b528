package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// cgoPointer is TR221.
func cgoPointer() *rules.Rule {
	return &rules.Rule{
		ID: idCgoPointer, Name: "cgo-pointer", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idCgoPointer, locateCgo, func(g *crashGroup) account {
			a := account{
				act: "hands C a Go pointer that it may not have",
				why: fmt.Sprintf("%s%s: %s.", g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: fmt.Sprintf("At %s pass memory from C.malloc or C.CBytes, pin what the pointer leads to with "+
					"runtime.Pinner, or pass a cgo.Handle instead of the pointer.", g.line()),
				next: g.logNext("GODEBUG=cgocheck=1 BINARY", "GOEXPERIMENT=cgocheck2 go test ./..."),
			}
			switch {
			case strings.Contains(g.text, "checkptr"):
				a.act = "converts an unsafe.Pointer wrongly: " + g.text
				a.fix = fmt.Sprintf("Make the conversion at %s one of the patterns that package unsafe allows; don't "+
					"do arithmetic beyond the object, and respect alignment.", g.line())
				a.next = g.logNext("go test -gcflags=all=-d=checkptr ./...", "go vet -unsafeptr ./...")
			case strings.Contains(g.text, "Pinner"):
				a.act = "misuses runtime.Pinner: " + g.text
				a.fix = "Call Unpin for each Pinner when C no longer needs the memory (defer it), and pin only " +
					"pointers."
			}
			return a
		}),
	}
}
