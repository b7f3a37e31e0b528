package crash

import (
	"github.com/gotriage/triage/rules"
)

// explainHeapCorruption is heap-corruption (TR220).
func explainHeapCorruption(g *crashGroup) account {
	return account{
		act: "meets a corrupted heap: " + g.text,
		why: g.fill("A check of the runtime failed under {who}{at}: {text}. Whoever broke the memory did so earlier " +
			"and elsewhere; this is who noticed."),
		fix: "Run the tests and, if it can bear it, one replica with -race and with checkptr; review unsafe, cgo and " +
			"assembly in the program and its dependencies; update Go if its release notes name such a bug.",
		next: g.logNext("go test -race -gcflags=all=-d=checkptr ./...",
			"GODEBUG=gccheckmark=1,clobberfree=1 BINARY", "dmesg | grep -iE 'mce|ecc|memory error'"),
		confidence: rules.ConfMedium,
	}
}
