package triage

import (
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
)

// profileInputs brings the profiles of all sources into the form that rules look at.
func profileInputs(results []*sources.Result) []*rules.ProfileInput {
	var all []*rules.ProfileInput
	for _, rd := range results {
		for _, p := range rd.Profiles {
			from, path := rd.Source.Origin, sources.FirstPath(rd.Source)
			all = append(all, &rules.ProfileInput{
				View: &profile.View{Profile: p}, Input: path, Process: identity.ProcessName(from, ""),
				Target: identity.TargetFrom(path, from),
			})
		}
	}
	return all
}

// viewProfiles names the processes of profiles and works out what rules ask of each: whose code its functions are, and
// which rule its stacks belong to.
func viewProfiles(pass *rules.Pass, book RuleBook) {
	if len(pass.Profiles) == 0 {
		return
	}
	parallel.Each(len(pass.Profiles), func(i int) { pass.Profiles[i].View = profile.NewView(pass.Profiles[i].Profile) })
	identity.NameProfiles(pass)
	board := book.profileBoard()
	parallel.Each(len(pass.Profiles), func(i int) { claim(board, pass.Profiles[i]) })
}

// claim gives a profile's stacks to rules. A fault of ours over a hostile profile costs that profile's findings alone:
// what has no claims is claimed rule by rule, where faults are caught.
func claim(board *hotspot.Board, p *rules.ProfileInput) {
	defer func() { _ = recover() }()
	p.Claims = board.Claims(p)
}
