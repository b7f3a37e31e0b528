package rules

import "fmt"

// unhashableKey is TR206.
func unhashableKey() *Rule {
	return &Rule{
		ID: idUnhashableKey, Name: "unhashable-key", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Run: crashRun(idUnhashableKey, nil, func(g *crashGroup) account {
			return account{
				act:  "compares what can't be compared: " + g.text,
				why:  fmt.Sprintf("%s%s hashed or compared an interface whose value is not comparable: %s.", g.who(), g.at(), cut(g.text, maxQuoted)),
				fix:  fmt.Sprintf("Make the key or operand at %s a comparable type (a string, a struct of plain fields), or compare contents with reflect.DeepEqual. Errors: give the error type a pointer receiver and use errors.Is.", g.line()),
				next: g.logNext(),
			}
		}),
	}
}
