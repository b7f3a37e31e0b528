package rules

import (
	"github.com/gotriage/triage/profile"
)

// A claimRule is a rule that claims stacks and words its findings itself.
type claimRule struct {
	rule Rule
	by   claimant
	act  func(in *ProfileInput, cl *Claim) (title func(culprit string) string, why string)
	conf Confidence
}

func (r claimRule) build() *Rule {
	by := r.by
	by.id = r.rule.ID
	if by.cores == 0 {
		by.cores = highCores
	}
	out := r.rule
	out.claims = &by
	out.Run = func(p *Pass) []Finding {
		var found []Finding
		for _, in := range p.Profiles {
			cl := claimOf(in, &by)
			if cl == nil || !inScope(p, in, cl) {
				continue
			}
			title, why := r.act(in, cl)
			f := claimFinding(in, cl)
			f.Severity, f.Confidence = cl.severity(in, out.Severity), r.conf
			f.Title, f.Why = fitTitle(title, cl.blame), why+" "+accountOf(in, cl)
			found = append(found, f)
		}
		return found
	}
	return &out
}

// inScope leaves a heap's retainer to the rule about growth where a series shows that it grows, and a hot function to
// the one about labels where one value of a label has most.
func inScope(p *Pass, in *ProfileInput, cl *Claim) bool {
	if cl.by.rest == restOwns && topLabel(in).Key != "" {
		return false // the label says more
	}
	if in.Kind != profile.KindHeap {
		return true
	}
	for _, g := range heapGrowths(p) {
		for _, member := range g.of {
			if member == in && PlainName(g.culprit.Function) == PlainName(cl.blame.Culprit.Function) {
				return false
			}
		}
	}
	return true
}
