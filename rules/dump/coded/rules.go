// Package coded holds the rules about goroutines that wait, where the source of the program is at hand (--source): what
// could end a wait is read in the code, and whether anybody who could is left is seen in the dump.
package coded

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed locks.md
var locksDoc string

// Rules returns the rules about dumps and their source (TR46x).
func Rules() []*rules.Rule {
	return rules.Documented(locksDoc, []*rules.Rule{ownLock(), leftLocked(), lockCircle()})
}
