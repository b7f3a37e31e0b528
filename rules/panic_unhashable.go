package rules

import "fmt"

// unhashableKey is TR206.
func unhashableKey() *Rule {
	return &Rule{
		ID: idUnhashableKey, Name: "unhashable-key", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Doc: Doc{
			Title:          "An interface that holds a slice, map or function was used as a map key or compared",
			Why:            "Such values compile as keys and operands of == when they hide in an interface, and panic when they are hashed or compared.",
			Fix:            "Use a comparable key, or compare with reflect.DeepEqual, slices.Equal, maps.Equal, errors.Is.",
			FalsePositives: "None.",
			Refs:           []string{"https://go.dev/ref/spec#Comparison_operators", "https://go.dev/ref/spec#Map_types"},
		},
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
