package rules

import "fmt"

// heapCorruption is TR220.
func heapCorruption() *Rule {
	return &Rule{
		ID: idHeapCorruption, Name: "heap-corruption", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Doc: Doc{
			Title:          "The allocator or the collector found its own structures broken",
			Why:            "A check inside the runtime failed: somebody wrote where he should not have. Such a crash strikes whoever allocates next, so the stack shows who noticed, not who did it.",
			Fix:            "Look for unsafe.Pointer kept as uintptr, C code that keeps Go memory, data races on slices, maps and interfaces, wrong assembly.",
			FalsePositives: "The named frame is where it was noticed. Broken memory (ECC errors in dmesg) and, rarely, a bug of the Go release look the same.",
			Refs:           []string{"https://pkg.go.dev/unsafe#Pointer", "https://pkg.go.dev/cmd/cgo#hdr-Passing_pointers", "https://go.dev/doc/articles/race_detector"},
		},
		Run: crashRun(idHeapCorruption, nil, func(g *crashGroup) account {
			return account{
				act:        "meets a corrupted heap: " + g.text,
				why:        fmt.Sprintf("A check of the runtime failed under %s%s: %s. Whoever broke the memory did so earlier and elsewhere; this is who noticed.", g.who(), g.at(), cut(g.text, maxQuoted)),
				fix:        "Run the tests and, if it can bear it, one replica with -race and with checkptr; review unsafe, cgo and assembly in the program and its dependencies; update Go if its release notes name such a bug.",
				next:       g.logNext("go test -race -gcflags=all=-d=checkptr ./...", "GODEBUG=gccheckmark=1,clobberfree=1 BINARY", "dmesg | grep -iE 'mce|ecc|memory error'"),
				confidence: ConfMedium,
			}
		}),
	}
}
