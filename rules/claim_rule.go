package rules

import (
	"fmt"

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

// claimOf is what a rule claims of a profile, nil where that is nothing worth a finding.
func claimOf(in *ProfileInput, by *claimant) *Claim {
	claims := in.Claims
	if claims == nil {
		claims = newBoard([]*claimant{by}).Claims(in)
	}
	if cl := claims.Of(by.id); cl.fires() {
		return cl
	}
	return nil
}

// minOther is the part of a claim from which another caller is named beside the culprit (chosen).
const minOther = 0.1

// claimFinding is a finding with what the claim and its blame tell: culprit, path, evidence and where to look next.
func claimFinding(in *ProfileInput, cl *Claim) Finding {
	b, count := cl.blame, int(min(cl.Samples, 1<<31-1))
	f := Finding{
		Culprit: b.Culprit, Path: b.Path, Count: count,
		Evidence: []Evidence{{Input: in.Input, Text: measure(in, cl), Count: count, Share: min(cl.Share+cl.Caused, 1)}},
	}
	if b.Known {
		f.Next = []string{pprofList(b.Culprit.Function, in)}
	} else {
		f.Next = []string{dumpOverHTTP, "go tool pprof -top -cum " + Quote(orFile(in.Input))}
	}
	if !in.Time.IsZero() {
		f.Evidence[0].Time = in.Time.UTC().Format("2006-01-02T15:04:05Z07:00")
	}
	for _, o := range b.Others {
		if o.Share >= minOther*cl.Share {
			f.Evidence = append(f.Evidence, Evidence{
				Input: in.Input, Share: o.Share,
				Text: fmt.Sprintf("%s of it: %s", percent(o.Share/cl.Share), where(o.Place)),
			})
		}
	}
	return f
}
