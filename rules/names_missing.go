package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

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
