package crash

import (
	"strings"
)

// explainCgoPointer is cgo-pointer (TR221).
func explainCgoPointer(g *crashGroup) account {
	a := account{
		act: "hands C a Go pointer that it may not have",
		why: g.fill("{who}{at}: {text}."),
		fix: g.fill("At {line} pass memory from C.malloc or C.CBytes, pin what the pointer leads to with " +
			"runtime.Pinner, or pass a cgo.Handle instead of the pointer."),
		next: g.logNext("GODEBUG=cgocheck=1 BINARY", "GOEXPERIMENT=cgocheck2 go test ./..."),
	}
	switch {
	case strings.Contains(g.text, "checkptr"):
		a.act = "converts an unsafe.Pointer wrongly: " + g.text
		a.fix = g.fill("Make the conversion at {line} one of the patterns that package unsafe allows; don't do " +
			"arithmetic beyond the object, and respect alignment.")
		a.next = g.logNext("go test -gcflags=all=-d=checkptr ./...", "go vet -unsafeptr ./...")
	case strings.Contains(g.text, "Pinner"):
		a.act = "misuses runtime.Pinner: " + g.text
		a.fix = "Call Unpin for each Pinner when C no longer needs the memory (defer it), and pin only pointers."
	}
	return a
}
