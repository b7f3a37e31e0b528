package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// namesMissing is TR672.
func namesMissing() *Rule {
	return &Rule{
		ID: "TR672", Name: "names-missing", Category: HotCPU, Severity: Info, Needs: NeedsProfile,
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
