package crash

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// reflectMisuse is TR212.
func reflectMisuse() *rules.Rule {
	return &rules.Rule{
		ID: idReflectMisuse, Name: "reflect-misuse", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idReflectMisuse, nil, func(g *crashGroup) account {
			return account{
				act: "misuses reflection: " + g.text,
				why: fmt.Sprintf("%s%s reached a reflect operation that its value does not allow: %s.", g.who(),
					g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: fmt.Sprintf("Check Value.IsValid (nil interfaces), Kind, CanSet (pass a pointer, exported "+
					"fields only) before %s.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
