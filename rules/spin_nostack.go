package rules

import "fmt"

// unstoppableLoop is TR108.
func unstoppableLoop() *Rule {
	return &Rule{
		ID: "TR108", Name: "unstoppable-loop", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "The only goroutine on a CPU could not be stopped",
			Why:            "Its stack is unavailable: it ran on another thread and did not stop when the runtime asked. Before Go 1.14 that is every loop without a call; since then any goroutine that computes while its thread is kept off the CPU. Its creator is all that names it.",
			Fix:            "Look for the loop in the function that the creator starts.",
			FalsePositives: "Since Go 1.14 any lone computation, on a machine with more to do than processors; the stack would tell, and a second dump mostly has it. Workers of a pool whose others wait, stages of a pipeline, parts of a task whose starter waits for them, and goroutines that the standard library starts, are left alone.",
			Refs:           []string{"https://go.dev/issue/10958", "https://go.dev/doc/go1.14#runtime"},
		},
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !cannotStop(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "started a loop that can't be stopped",
				why: fmt.Sprintf("%s is on a CPU and its stack is unavailable: it did not stop when the runtime asked it to; all others wait. It was started by %s, which is all that the dump tells.", a.who(), place(c)),
				fix: fmt.Sprintf("Look at what the go statement in %s starts: a loop without a call, on a condition that nobody changes? Wait for it on a channel, a sync.Cond or a context.", place(c)),
			}, true
		}),
	}
}

// cannotStop asks for more quiet than alone does: without a stack, that nothing else goes on is all the evidence.
func cannotStop(a *active, all []active) bool {
	return a.act == actNoStack && a.bucket.CreatedBy != nil && !isLibrary(a.d, a.bucket.CreatedBy.Frame) &&
		alone(all) && woken(all) == 0 && !a.talks() && !a.peerWaits() && !a.joined()
}
