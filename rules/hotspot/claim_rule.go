package hotspot

import (
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
)

// A claimRule is a rule that claims stacks and words its findings itself.
type claimRule struct {
	rule rules.Rule
	by   Claimant
	act  func(in *rules.ProfileInput, cl *Claim) (title func(culprit string) string, why string)
	conf rules.Confidence
}

func (r claimRule) build() *rules.Rule {
	by := r.by
	by.ID = r.rule.ID
	if by.Cores == 0 {
		by.Cores = HighCores
	}
	out := r.rule
	out.Claims = &by
	out.Run = func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, in := range p.Profiles {
			cl := ClaimOf(in, &by)
			if cl == nil || !inScope(p, in, cl) {
				continue
			}
			title, why := r.act(in, cl)
			f := ClaimFinding(in, cl)
			f.Severity, f.Confidence = cl.Severity(in, out.Severity), r.conf
			f.Title, f.Why = FitTitle(title, cl.Blame), why+" "+AccountOf(in, cl)
			found = append(found, f)
		}
		return found
	}
	return &out
}

// inScope leaves a heap's retainer to the rule about growth where a series shows that it grows, and a hot function to
// the one about labels where one value of a label has most.
func inScope(p *rules.Pass, in *rules.ProfileInput, cl *Claim) bool {
	if cl.by.rest == restOwns && topLabel(in).Key != "" {
		return false // the label says more
	}
	if in.Kind != profile.KindHeap {
		return true
	}
	for _, g := range heapGrowths(p) {
		for _, member := range g.of {
			if member == in && rules.PlainName(g.culprit.Function) == rules.PlainName(cl.Blame.Culprit.Function) {
				return false
			}
		}
	}
	return true
}
