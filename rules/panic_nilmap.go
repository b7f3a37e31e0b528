package rules

import "fmt"

// nilMapWrite is TR204.
func nilMapWrite() *Rule {
	return &Rule{
		ID: idNilMapWrite, Name: "nil-map-write", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Doc: Doc{
			Title:          "An entry was written to a map that was never made",
			Why:            "Reading a nil map is allowed, writing to it panics; the frame below the panic is the line that wrote.",
			Fix:            "Make the map before that line: in the constructor, or where the object was decoded.",
			FalsePositives: "None.",
			Refs:           []string{"https://go.dev/ref/spec#Map_types", "https://go.dev/blog/maps"},
		},
		Run: crashRun(idNilMapWrite, nil, func(g *crashGroup) account {
			return account{
				act:  "writes to a nil map",
				why:  fmt.Sprintf("%s%s assigned to an entry of a map that is nil: a zero struct, or a decoded object whose map was absent (labels, annotations, data of a Kubernetes object).", g.who(), g.at()),
				fix:  fmt.Sprintf("Make the map before %s: m = make(map[K]V) where it is nil, or in the constructor of the struct that holds it.", g.line()),
				next: g.logNext("staticcheck -checks SA5000 ./..."),
			}
		}),
	}
}
