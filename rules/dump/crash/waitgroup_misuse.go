package crash

import (
	"strings"
)

// explainWaitGroupMisuse is waitgroup-misuse (TR209).
func explainWaitGroupMisuse(g *crashGroup) account {
	a := account{
		act: "calls Done more often than Add",
		why: g.fill("{who}{at} took the WaitGroup's counter below zero: a Done on two paths of one function, a Done " +
			"without its Add, or a copied WaitGroup."),
		fix: "Call Add(1) before each go statement and `defer wg.Done()` once, first thing in the " +
			"goroutine; or use wg.Go. Pass WaitGroups by pointer.",
		next: g.logNext("go vet -copylocks ./...", "go test -race ./..."),
	}
	if !strings.Contains(g.text, "negative") {
		a.act = "adds to a WaitGroup while others wait on it"
		a.why = g.fill("{who}{at}: {text}. An Add ran at the same time as Wait, so Wait may return too early.")
		a.fix = "Call Add before Wait can start, never inside the goroutine that it counts; use a new " +
			"WaitGroup for each round."
	}
	return a
}
