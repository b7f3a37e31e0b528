// Package coded holds the rules about goroutines that wait, where the source of the program is at hand (--source): what
// could end a wait is read in the code, and whether anybody who could is left is seen in the dump.
package coded

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

//go:embed locals.md
var localsDoc string

//go:embed locks.md
var locksDoc string

//go:embed fields.md
var fieldsDoc string

//go:embed findings.md
var findingsText string

var findings = sync.OnceValue(func() account.Book { return account.Parse(findingsText) })

// Rules returns the rules about dumps and their source (TR46x).
func Rules() []*rules.Rule {
	return slices.Concat(rules.Documented(localsDoc, localRules()),
		rules.Documented(locksDoc, []*rules.Rule{ownLock(), leftLocked(), lockCircle()}),
		rules.Documented(fieldsDoc, fieldRules()))
}
