package rules

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/profile"
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

// namesMissing is TR672.
func namesMissing() *Rule {
	return &Rule{
		ID: "TR672", Name: "names-missing", Category: HotCPU, Severity: Info, Needs: NeedsProfile,
		Doc: Doc{
			Title:          "A profile without the names of functions",
			Why:            "Most stacks hold addresses and no names: the profile comes from a stripped program or from a profiler that leaves names to others. No rule can look at it.",
			Fix:            "Name the functions with the program's own file: go tool pprof -symbolize=local -proto -output named.pb.gz BINARY PROFILE. Profiles that Go's own net/http/pprof serves have names.",
			FalsePositives: "None: it is a statement about the profile.",
			Refs:           []string{"https://github.com/google/pprof/blob/main/doc/README.md"},
		},
		Run: func(p *Pass) []Finding {
			var found []Finding
			for _, in := range p.Profiles {
				if in.Unsymbolized < 0.5 || in.Total() <= 0 {
					continue
				}
				next := []string{}
				for _, d := range in.Quality(Quote(in.Input)).Doubts {
					if d.Name == profile.DoubtUnsymbolized {
						next = append(next, d.Hint)
					}
				}
				found = append(found, profileRemark(in, fmt.Sprintf("%s of the profile has no names of functions", percent(in.Unsymbolized)), "TR672", next))
			}
			return found
		},
	}
}

// profileRemark is a finding about a profile itself.
func profileRemark(in *ProfileInput, title, rule string, next []string) Finding {
	return Finding{
		Severity: Info, Confidence: ConfHigh, Title: cutTitle(title), Next: next,
		Evidence:    []Evidence{{Input: in.Input, Text: fmt.Sprintf("%s samples in %s", thousands(in.Samples()), in.Duration.Round(time.Millisecond)), Count: 1}},
		Fingerprint: Fingerprint(rule, Place{Function: cmp.Or(in.Process, in.Input)}, ""),
	}
}
