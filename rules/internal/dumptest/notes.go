package dumptest

import (
	"fmt"
	"strings"
	"testing"
)

// A Note is one line about goroutines: "7 [chan send, 5 minutes]: lib.(*Queue).Put main.produce" is goroutine 7 of a
// dump that lists them, or are seven goroutines of one that counts stacks. Calls are leaf first; what they look like is
// up to the test.
type Note struct {
	Number int
	State  string
	Calls  []string
}

// NotesOf reads the notes of a text.
func NotesOf(t testing.TB, text string) (all []Note) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var n Note
		head, calls, ok := strings.Cut(line, "]")
		number, state, also := strings.Cut(head, " [")
		if _, err := fmt.Sscan(number, &n.Number); !ok || !also || err != nil {
			t.Fatalf("no note: %q", line)
		}
		n.State, n.Calls = state, strings.Fields(strings.TrimPrefix(calls, ":"))
		all = append(all, n)
	}
	return all
}
