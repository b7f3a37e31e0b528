package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// namesMissing is TR672.
func namesMissing() *rules.Rule {
	return &rules.Rule{
		ID: "TR672", Name: "names-missing", Category: rules.HotCPU, Severity: rules.Info, Needs: rules.NeedsProfile,
		Run: func(p *rules.Pass) []rules.Finding {
			var found []rules.Finding
			for _, in := range p.Profiles {
				if in.Unsymbolized < 0.5 || in.Total() <= 0 {
					continue
				}
				var next []rules.Step
				for _, d := range in.Quality(rules.Quote(in.Input)).Doubts {
					if d.Name == profile.DoubtUnsymbolized {
						next = append(next, rules.Command(d.Hint))
					}
				}
				found = append(found, profileRemark(in, fmt.Sprintf("%s of the profile has no names of functions",
					phrase.Percent(in.Unsymbolized)), "TR672", next))
			}
			return found
		},
	}
}
