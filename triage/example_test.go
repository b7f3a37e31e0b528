package triage_test

import (
	"context"
	"fmt"

	"github.com/gotriage/triage/triage"
)

// Run reads files, folders and archives, and ranks what the rules find: the first finding is the verdict.
func ExampleRun() {
	r, err := triage.Run(context.Background(), triage.Options{
		Inputs: []string{"../testdata/dumps/go1.26/crash-close-nil.txt"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		fmt.Printf("%s %s: %s\n", f.Severity, f.Rule, f.Title)
	}
	// Output:
	// critical TR208: main.finish closed a nil channel (panics.go:74)
}

// Compare reports what changed between two states of a program.
func ExampleCompare() {
	before := []string{"../testdata/dumps/go1.26/spin-gosched.txt"}
	after := []string{"../testdata/dumps/go1.26/spin-gosched-2.txt"}
	r, err := triage.Compare(context.Background(), before, after, triage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("compared by", r.Diff.By)
	for _, f := range r.Diff.Findings.Both {
		fmt.Println(f.Title)
	}
	// Output:
	// compared by stack
	// goroutine 59: intake.(*Drain).Start.func1 busy-waits on runtime.Gosched (drain.go:21)
}
