package rules

import "fmt"

// reflectMisuse is TR212.
func reflectMisuse() *Rule {
	return &Rule{
		ID: idReflectMisuse, Name: "reflect-misuse", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Doc: Doc{
			Title:          "Package reflect refused an operation",
			Why:            "reflect panics on a zero Value, a wrong kind, an unexported or unaddressable field; the nearest frame outside the standard library is who asked.",
			Fix:            "Check IsValid, Kind, CanSet and CanInterface before the call.",
			FalsePositives: "A decoder or template engine that reflects on your type is named first; the type that it was given is then the cause.",
			Refs:           []string{"https://pkg.go.dev/reflect#Value", "https://go.dev/blog/laws-of-reflection"},
		},
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
