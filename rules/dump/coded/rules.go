// Package coded holds the rules about goroutines that wait, where the source of the program is at hand (--source): what
// could end a wait is read in the code, and whether anybody who could is left is seen in the dump.
package coded

import (
	_ "embed"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var doc string

// Rules returns the rules about dumps and their source (TR46x).
func Rules() []*rules.Rule {
	rule := func(id, name string, category rules.Category) *rules.Rule {
		return &rules.Rule{ID: id, Name: name, Category: category, Severity: rules.High,
			Needs: rules.NeedsDump | rules.NeedsSource, Run: func(p *rules.Pass) (found []rules.Finding) {
				for _, d := range p.Dumps {
					for _, f := range views.Of(d).read(parsed.Code(p)).found {
						if f.rule == id {
							found = append(found, f.Finding)
						}
					}
				}
				return found
			}}
	}
	return rules.Documented(doc, []*rules.Rule{
		rule("TR460", "abandoned-wait", rules.Leak),
		rule("TR461", "nobody-ends-wait", rules.Deadlock),
		rule("TR463", "waits-for-itself", rules.Deadlock),
		rule("TR464", "left-locked-by-source", rules.Deadlock),
		rule("TR465", "circle-by-source", rules.Deadlock),
		{ID: "TR468", Name: "left-open-by-source", Category: rules.Leak, Severity: rules.High,
			Needs: rules.NeedsDump | rules.NeedsSource, Run: func(p *rules.Pass) (found []rules.Finding) {
				for _, d := range p.Dumps {
					found = append(found, leftOpen(d, parsed.Code(p))...)
				}
				return found
			}},
	})
}
