package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// dataRace is data-race (TR301).
func dataRace() *rules.Rule {
	return &rules.Rule{
		ID: idDataRace, Name: "data-race", Category: rules.RaceCat, Severity: rules.High, Needs: rules.NeedsRace,
		Run: runRaces,
	}
}

// A racePair is one report of the race detector, with how often equal ones were printed.
type racePair struct {
	d        *rules.DumpInput
	accesses []access // the writing one first
	creators []access
	count    int
}

// An access is one stack of a report with the place to blame.
type access struct {
	stackparse.Race
	blame rules.Blame
}

func runRaces(p *rules.Pass) []rules.Finding {
	var order []string
	byWriter := map[string][]*racePair{}
	for _, d := range p.Dumps {
		pair := newRacePair(d)
		if pair == nil {
			continue
		}
		w := pair.accesses[0].blame.Culprit
		key := rules.Fingerprint(idDataRace, w, "")
		if w.Function == "" {
			// Two stacks that could not be restored show nothing about each other.
			key += pair.key()
		}
		pairs, known := byWriter[key]
		if !known {
			order = append(order, key)
		}
		if i := slices.IndexFunc(pairs, func(q *racePair) bool { return q.key() == pair.key() }); i >= 0 {
			pairs[i].count += pair.count
			continue
		}
		byWriter[key] = append(pairs, pair)
	}
	findings := make([]rules.Finding, 0, len(order))
	for _, key := range order {
		findings = append(findings, raceFinding(byWriter[key]))
	}
	return findings
}

// newRacePair sorts a report's stacks; nil where it holds no access.
func newRacePair(d *rules.DumpInput) *racePair {
	pair := &racePair{d: d, count: max(1, d.Seen)}
	for _, r := range d.Races {
		a := access{r, rules.BlameStack(d.Program, r.Frames)}
		if strings.Contains(r.Op, "created") {
			pair.creators = append(pair.creators, a)
		} else if len(pair.accesses) < 2 {
			pair.accesses = append(pair.accesses, a)
		}
	}
	if len(pair.accesses) == 0 {
		return nil
	}
	slices.SortStableFunc(pair.accesses, func(a, b access) int { return a.rank(d.Program) - b.rank(d.Program) })
	return pair
}

// rank puts the access to blame first: writes before reads, of these the one with a culprit on its stack.
func (a *access) rank(p frame.Program) int {
	rank := 0
	if !a.writes() {
		rank += 2
	}
	if !a.shown(p) {
		rank++
		if a.blame.Index < 0 {
			rank += 2
		}
	}
	return rank
}

// shown reports whether the access's stack has a frame that can be to blame: a cut one may end in the standard library.
func (a *access) shown(p frame.Program) bool {
	return a.blame.Index >= 0 && rules.Blameable(p.Class(a.Frames[a.blame.Index].Frame))
}

func (a *access) writes() bool { return strings.Contains(strings.ToLower(a.Op), "write") }

// key is equal for reports of the same two places, in either order.
func (p *racePair) key() string {
	var places []string
	for i := range p.accesses {
		places = append(places, p.accesses[i].blame.Culprit.Function+" "+rules.PlaceLine(p.accesses[i].blame.Culprit))
	}
	slices.Sort(places)
	return strings.Join(places, "|")
}

func raceFinding(pairs []*racePair) rules.Finding {
	first := pairs[0]
	writer := first.accesses[0]
	place := writer.blame.Culprit
	text := findings().Account("data-race", raceFacts(pairs))
	f := rules.Finding{
		Severity:   rules.High,
		Confidence: rules.ConfHigh,
		Title:      crashTitle(rules.PlaceName(place), text.Act, rules.PlaceLine(place)),
		Culprit:    place,
		Path:       writer.blame.Path,
		Why:        text.Why,
		Fix:        text.Fix,
		Next:       text.Next,
	}
	for _, p := range pairs {
		f.Count += p.count
		if len(f.Evidence) < maxCrashEvidence {
			f.Evidence = append(f.Evidence, p.evidence()...)
		}
		f.FirstSeen = cmp.Or(f.FirstSeen, p.d.Stamp)
		f.LastSeen = cmp.Or(p.d.Stamp, f.LastSeen)
		if !slices.Contains(f.Sources, p.d.Input) && len(f.Sources) < rules.MaxEvidenceIDs {
			f.Sources = append(f.Sources, p.d.Input)
		}
	}
	return f
}

// raceFacts are who {does} what while the {other} {also} does something, the {accesses}, their {places}, and how many
// {reports} there are against {others}.
func raceFacts(pairs []*racePair) account.Facts {
	first := pairs[0]
	writer := first.accesses[0]
	n := 0
	for _, p := range pairs {
		n += p.count
	}
	f := account.Facts{Values: account.Values{"does": writer.did(), "accesses": writer.text(),
		"places": racePlaces(pairs), "reports": strconv.Itoa(n), "others": ""}}
	if n > 1 {
		f.Cases = append(f.Cases, "reports")
	}
	if len(pairs) > 1 {
		f.Values["others"] = fmt.Sprintf(", against %d other places", len(pairs))
	}
	if len(first.accesses) < 2 {
		return f
	}
	other := first.accesses[1]
	f.Values["accesses"] += " and " + other.text()
	name := rules.PlaceName(other.blame.Culprit)
	if other.blame.Culprit.Package == writer.blame.Culprit.Package {
		if _, method, ok := strings.Cut(name, "."); ok && strings.HasPrefix(method, "(") {
			name = method
		}
	}
	f.Values["also"], f.Values["other"] = other.did(), name
	switch {
	case other.blame.Culprit.Function == "":
		f.Cases = append(f.Cases, "someone")
	case !other.shown(first.d.Program):
		f.Cases = append(f.Cases, "hidden")
		f.Values["library"] = "package " + symbol.PackageOf(other.Frames[len(other.Frames)-1].Func)
	case rules.PlainName(other.blame.Culprit.Function) == rules.PlainName(writer.blame.Culprit.Function):
		f.Cases = append(f.Cases, "itself")
	default:
		f.Cases = append(f.Cases, "two")
	}
	return f
}

// racePlaces names the functions to guard, the writer's first, at most three.
func racePlaces(pairs []*racePair) string {
	var names []string
	for _, p := range pairs {
		for i := range p.accesses {
			if n := rules.PlaceName(p.accesses[i].blame.Culprit); p.accesses[i].shown(p.d.Program) &&
				!slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	switch {
	case len(names) == 0:
		return "both places"
	case len(names) > 3:
		names = append(names[:2], fmt.Sprintf("%d more", len(names)-2))
	}
	return phrase.List(names)
}

// op is "write" or "read".
func (a *access) op() string {
	if a.writes() {
		return "write"
	}
	return "read"
}

// did is "wrote" or "read".
func (a *access) did() string {
	if a.writes() {
		return "wrote"
	}
	return "read"
}

// text is "a write by goroutine 151 in (*Gauge).Inc at extra.go:134".
func (a *access) text() string {
	if a.blame.Culprit.Function == "" {
		return "a " + a.op() + " by " + a.goroutine() + ", whose stack was not restored,"
	}
	return "a " + a.op() + " in " + rules.PlaceName(a.blame.Culprit) + atLine(a.blame.Culprit)
}

func (a *access) goroutine() string {
	if a.Goroutine == 0 {
		return "the main goroutine"
	}
	return fmt.Sprintf("goroutine %d", a.Goroutine)
}

// evidence is both accesses and who created their goroutines.
func (p *racePair) evidence() []rules.Evidence {
	line := p.d.Line
	if p.d.Cause != nil && p.d.Cause.Line > 0 {
		line = p.d.Cause.Line
	}
	var list []rules.Evidence
	for _, a := range append(slices.Clone(p.accesses), p.creators...) {
		text := a.Op
		if a.Addr != 0 {
			text += fmt.Sprintf(" at 0x%x by %s", a.Addr, a.goroutine())
		}
		if a.blame.Culprit.Function != "" {
			text += ": " + rules.PlaceName(a.blame.Culprit)
			if at := rules.PlaceLine(a.blame.Culprit); at != "" {
				text += " " + at
			}
		}
		e := rules.EvidenceAt(p.d, line, phrase.Cut(text, 2*phrase.MaxQuoted))
		e.Count = p.count
		if a.Goroutine != 0 {
			e.Goroutines = []uint64{a.Goroutine}
		}
		list = append(list, e)
	}
	return list
}
