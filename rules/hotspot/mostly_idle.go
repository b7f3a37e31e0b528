package hotspot

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// mostlyIdle is TR671.
func mostlyIdle() *rules.Rule {
	return &rules.Rule{
		ID: "TR671", Name: "mostly-idle", Category: rules.HotCPU, Severity: rules.Info, Needs: rules.NeedsCPU,
		Run: func(p *rules.Pass) []rules.Finding {
			var found []rules.Finding
			for _, in := range p.Profiles {
				if q := in.Quality(""); q.Idle {
					found = append(found, profileRemark(in, fmt.Sprintf("The process was mostly idle: %s over %s",
						phrase.Cores(q.Cores), in.Duration.Round(100*time.Millisecond)), "TR671",
						rules.Commands(dumpOverHTTP)))
				}
			}
			return found
		},
	}
}
