package match

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
)

// addFunction adds a pattern of a condition on goroutines. Their dumps name every Go function with its package: what
// has none is a package that someone took for all of its functions.
func addFunction(m *frame.Patterns, text string) (int32, error) {
	if text != "panic" && frame.IsSymbol(text) {
		return 0, fmt.Errorf("pattern %q names no function: write %s.* for all of a package", text, text)
	}
	return m.Add(text)
}
