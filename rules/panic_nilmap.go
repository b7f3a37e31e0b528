package rules

import "fmt"

// nilMapWrite is TR204.
func nilMapWrite() *Rule {
	return &Rule{
		ID: idNilMapWrite, Name: "nil-map-write", Category: Crash, Severity: Critical, Needs: NeedsCause,
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
