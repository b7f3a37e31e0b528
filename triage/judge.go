package triage

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/suspect/cluster"
	"github.com/gotriage/triage/internal/suspect/goroutines"
	"github.com/gotriage/triage/internal/suspect/hotspots"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/rules/verdict"
	"github.com/gotriage/triage/triage/schema"
)

// applyRules applies the rules to the pass and fills in the report: findings merged and ranked, those that the team
// ignores, rules that had nothing to look at, and the counts. It returns the findings as the rules made them.
func applyRules(r *schema.Report, book RuleBook, pass *rules.Pass) []rules.Finding {
	var found []rules.Finding
	set := book.Rules
	for _, a := range verdict.AskAll(set, pass) {
		r.Rules.Checked++
		switch {
		case a.Missing != "":
			r.Rules.NotApplicable++
			r.NotApplicable = append(r.NotApplicable, schema.NotApplicable{Rule: a.Rule.ID, Needs: a.Missing})
		case len(a.Found) == 0:
			r.Rules.Clear++
		default:
			r.Rules.Fired++
			found = append(found, a.Found...)
		}
	}
	order := map[string]int{}
	for i, in := range r.Inputs {
		if _, ok := order[in.Path]; !ok {
			order[in.Path] = i
		}
	}
	found = verdict.Throttled(verdict.LendWords(verdict.Corroborate(found, pass), pass), pass)
	pods.IndexDumps(pass.Dumps).Attribute(found)
	joined := verdict.OneCause(set, verdict.Symptoms(verdict.OneWait(verdict.Merge(found), pass)), pass)
	verdict.NameWriters(set, joined, pass)
	joined = verdict.OneEvent(joined, pass)
	verdict.ChangesBefore(joined, pass)
	verdict.NameTests(joined, pass)
	r.Config = book.team.Report()
	joined, r.Ignored = book.team.Judge(joined)
	r.Findings = append(r.Findings, verdict.Rank(joined, order)...)
	return found
}

// suspects are the best of each kind of evidence, without those that are ignored or known. A room that panics over a
// hostile input does not cost the others theirs, and the report states it.
func suspects(r *schema.Report, pass *rules.Pass, known func(*schema.Lead) bool) (all []suspect.Suspect) {
	rooms := []func(*rules.Pass) []suspect.Suspect{goroutines.Suspects, hotspots.Suspects, cluster.Suspects}
	found := make([][]suspect.Suspect, len(rooms))
	failed := make([]any, len(rooms))
	parallel.Each(len(rooms), func(i int) {
		defer func() { failed[i] = recover() }()
		found[i] = rooms[i](pass)
	})
	for _, p := range failed {
		if p != nil {
			r.Skipped = append(r.Skipped, schema.Skipped{
				Path: "leads", Reason: fmt.Sprintf("a bug in triage: %v", p),
				Hint: "findings are not affected; please report it",
			})
		}
	}
	for _, f := range found {
		f = leads.Beyond(f, r, known)
		f = f[:min(len(f), suspect.Limit)]
		slices.SortStableFunc(f, suspect.Compare)
		all = append(all, f...)
	}
	return all
}

// clearUnsampled takes the suspicion off runnable goroutines whose function has no sample in a CPU profile of their
// process.
func clearUnsampled(d *schema.Dump, process string, profiles []*rules.ProfileInput) {
	for i := range d.Runnable {
		r := &d.Runnable[i]
		if r.Verdict != spin.VerdictWatch || r.Frame.Function == "" {
			continue
		}
		if samples, absent := verdict.Unsampled(profiles, process, r.Frame.Function); absent {
			r.Verdict = spin.VerdictInnocent
			r.Reason = fmt.Sprintf("none of the %d samples in the process's CPU profile is in it", samples)
		}
	}
}
