package hotspot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// minOther is the part of a claim from which another caller is named beside the culprit (chosen).
const minOther = 0.1

// ClaimFinding is a finding with what the claim and its blame tell: culprit, path, evidence and where to look next.
func ClaimFinding(in *rules.ProfileInput, cl *Claim) rules.Finding {
	b, count := cl.Blame, int(min(cl.Samples, 1<<31-1))
	f := rules.Finding{
		Culprit: b.Culprit, Path: b.Path, Count: count,
		Evidence: []rules.Evidence{{Input: in.Input, Text: measure(in, cl), Count: count, Share: min(cl.Share+cl.Caused, 1)}},
	}
	if b.Known {
		f.Next = rules.Commands(pprofList(b.Culprit.Function, in))
	} else {
		f.Next = rules.Commands(dumpOverHTTP, "go tool pprof -top -cum "+rules.Quote(orFile(in.Input)))
	}
	if !in.Time.IsZero() {
		f.Evidence[0].Time = in.Time.UTC().Format("2006-01-02T15:04:05Z07:00")
	}
	for _, o := range b.Others {
		if o.Share >= minOther*cl.Share {
			f.Evidence = append(f.Evidence, rules.Evidence{
				Input: in.Input, Share: o.Share,
				Text: fmt.Sprintf("%s of it: %s", phrase.Percent(o.Share/cl.Share), where(o.Place)),
			})
		}
	}
	return f
}

// ClaimOf is what a rule claims of a profile, nil where that is nothing worth a finding.
func ClaimOf(in *rules.ProfileInput, by *Claimant) *Claim {
	claims, ok := in.Claims.(*Claims)
	if !ok {
		claims = newBoard([]*Claimant{by}).Claims(in)
	}
	if cl := claims.Of(by.ID); cl.fires() {
		return cl
	}
	return nil
}

// sortedIDs joins ids of rules for a sentence.
func sortedIDs(ids []string) string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return strings.Join(ids, ", ")
}
