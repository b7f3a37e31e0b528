package rules

import "fmt"

// reflectMisuse is TR212.
func reflectMisuse() *Rule {
	return &Rule{
		ID: idReflectMisuse, Name: "reflect-misuse", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Run: crashRun(idReflectMisuse, nil, func(g *crashGroup) account {
			return account{
				act:  "misuses reflection: " + g.text,
				why:  fmt.Sprintf("%s%s reached a reflect operation that its value does not allow: %s.", g.who(), g.at(), cut(g.text, maxQuoted)),
				fix:  fmt.Sprintf("Check Value.IsValid (nil interfaces), Kind, CanSet (pass a pointer, exported fields only) before %s.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
