package crash

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// heapCorruption is TR220.
func heapCorruption() *rules.Rule {
	return &rules.Rule{
		ID: idHeapCorruption, Name: "heap-corruption", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idHeapCorruption, nil, func(g *crashGroup) account {
			return account{
				act: "meets a corrupted heap: " + g.text,
				why: fmt.Sprintf("A check of the runtime failed under %s%s: %s. Whoever broke the memory did "+
					"so earlier and elsewhere; this is who noticed.", g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: "Run the tests and, if it can bear it, one replica with -race and with checkptr; review " +
					"unsafe, cgo and assembly in the program and its dependencies; update Go if its release notes " +
					"name such a bug.",
				next: g.logNext("go test -race -gcflags=all=-d=checkptr ./...",
					"GODEBUG=gccheckmark=1,clobberfree=1 BINARY", "dmesg | grep -iE 'mce|ecc|memory error'"),
				confidence: rules.ConfMedium,
			}
		}),
	}
}
