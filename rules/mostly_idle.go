package rules

import (
	"fmt"
	"time"
)

// mostlyIdle is TR671.
func mostlyIdle() *Rule {
	return &Rule{
		ID: "TR671", Name: "mostly-idle", Category: HotCPU, Severity: Info, Needs: NeedsCPU,
		Doc: Doc{
			Title:          "A CPU profile of a process that hardly ran",
			Why:            "The profile holds under 0.05 cores of work: what was slow or stuck did not use the CPU then, so that this profile can't explain it.",
			Fix:            "Take a goroutine dump to see what it waits for; take a CPU profile while the load is there.",
			FalsePositives: "None: it is a statement about the profile.",
			Refs:           []string{"https://pkg.go.dev/net/http/pprof"},
		},
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
