package crash

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// unhashableKey is TR206.
func unhashableKey() *rules.Rule {
	return &rules.Rule{
		ID: idUnhashableKey, Name: "unhashable-key", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idUnhashableKey, nil, func(g *crashGroup) account {
			return account{
				act: "compares what can't be compared: " + g.text,
				why: fmt.Sprintf("%s%s hashed or compared an interface whose value is not comparable: %s.", g.who(),
					g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: fmt.Sprintf("Make the key or operand at %s a comparable type (a string, a struct of plain "+
					"fields), or compare contents with reflect.DeepEqual. Errors: give the error type a pointer "+
					"receiver and use errors.Is.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
