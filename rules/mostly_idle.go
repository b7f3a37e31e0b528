package rules

import (
	"fmt"
	"time"
)

// mostlyIdle is TR671.
func mostlyIdle() *Rule {
	return &Rule{
		ID: "TR671", Name: "mostly-idle", Category: HotCPU, Severity: Info, Needs: NeedsCPU,
		Run: func(p *Pass) []Finding {
			var found []Finding
			for _, in := range p.Profiles {
				if q := in.Quality(""); q.Idle {
					found = append(found, profileRemark(in, fmt.Sprintf("The process was mostly idle: %s over %s", cores(q.Cores), in.Duration.Round(100*time.Millisecond)), "TR671",
						[]string{dumpOverHTTP}))
				}
			}
			return found
		},
	}
}
