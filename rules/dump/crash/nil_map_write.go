package crash

import (
	"fmt"

	"github.com/gotriage/triage/rules"
)

// nilMapWrite is TR204.
func nilMapWrite() *rules.Rule {
	return &rules.Rule{
		ID: idNilMapWrite, Name: "nil-map-write", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idNilMapWrite, nil, func(g *crashGroup) account {
			return account{
				act: "writes to a nil map",
				why: fmt.Sprintf("%s%s assigned to an entry of a map that is nil: a zero struct, or a decoded "+
					"object whose map was absent (labels, annotations, data of a Kubernetes object).", g.who(), g.at()),
				fix: fmt.Sprintf("Make the map before %s: m = make(map[K]V) where it is nil, or in the constructor "+
					"of the struct that holds it.", g.line()),
				next: g.logNext("staticcheck -checks SA5000 ./..."),
			}
		}),
	}
}
