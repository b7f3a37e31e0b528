// Package hotspots finds suspects in profiles: the functions of the program in which most of it is spent, and for whom.
// Begin reading at Suspects; survey.go finds out who asks for what a profile counts.
package hotspots

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

// Bounds, all chosen.
const (
	perProfile = 5    // places of one profile
	minShare   = 0.03 // of a profile, for all places but the first
	half       = 0.5  // the part of a place from which what it calls and who calls it is named
	nearlyAll  = 0.9
	fewSamples = 100
	maxKeys    = 16 // of labels
	// dominant is the share that makes a place strong, and twice as strong at most, where the profile shows that it
	// matters: half a core, which is what many pods may use at all, a heap or a rate of allocation that is worth a
	// look, one goroutine that waits all the time.
	dominant  = 0.3
	busyCores = 0.5
	heavyHeap = 100e6 // bytes
	heavyRate = 50e6  // bytes a second
	unknown   = 0.3   // as much as it matters at most where the profile does not show for how long it counts,
	shortLife = 10    // which is some seconds at least
)

// kinds are how places in profiles of a kind are described; %s is the share.
var kinds = map[profile.Kind]struct {
	category           rules.Category
	takes, of, against string
}{
	profile.KindCPU: {rules.HotCPU, " takes %s of the CPU", "the CPU",
		"One profile does not show whether the work is needed"},
	profile.KindHeap: {rules.Memory, " holds %s of the heap", "the heap", "A full cache looks the same"},
	profile.KindAllocs: {rules.Memory, " allocates %s of all bytes", "all bytes",
		"One profile does not show whether the work is needed"},
	profile.KindMutex: {rules.Contention, " holds locks for %s of the time that others wait",
		"the time that goroutines waited for locks", "Many short waits can add up to this much"},
	profile.KindBlock: {rules.Contention, " accounts for %s of all waiting", "the time that goroutines were blocked",
		"Waiting costs nothing if nobody waits for the result"},
	profile.KindWall: {rules.HotCPU, " accounts for %s of the time of all goroutines", "the time of all goroutines",
		"Waiting goroutines count as much as running ones"},
}

// Suspects are those of all profiles, best first: one for each place.
func Suspects(p *rules.Pass) []suspect.Suspect {
	heaps := map[string][]*survey{} // by process
	var all []suspect.Suspect
	for _, in := range p.Profiles {
		switch _, ok := kinds[in.Kind]; {
		case !ok:
		case in.Kind == profile.KindHeap && in.Process != "":
			heaps[in.Process] = append(heaps[in.Process], take(p, in))
		default:
			all = append(all, take(p, in).suspects(nil)...)
		}
	}
	for _, process := range slices.Sorted(maps.Keys(heaps)) {
		of := heaps[process]
		slices.SortStableFunc(of, func(a, b *survey) int { return a.Time.Compare(b.Time) })
		all = append(all, of[len(of)-1].suspects(of[:len(of)-1])...)
	}
	return suspect.Best(join(all))
}

// suspects are the places of one profile. Earlier are the older heaps of the same process, in order of time.
func (s *survey) suspects(earlier []*survey) []suspect.Suspect {
	var all []suspect.Suspect
	for i, p := range s.places[:min(len(s.places), perProfile)] {
		if i == 0 || p.value >= minShare*s.total {
			all = append(all, s.suspect(p, earlier))
		}
	}
	if len(all) > 0 {
		all[0].For = append(all[0].For, s.label()...)
		all = append(all, s.below(s.places[0])...)
	}
	if s.Idle() {
		return []suspect.Suspect{s.idle(all)}
	}
	if work, value := s.hidden.most(); len(all) == 0 || value > s.places[0].value {
		all = append(all, s.process(work, value))
	}
	return all
}

// suspect describes a place.
func (s *survey) suspect(p *place, earlier []*survey) suspect.Suspect {
	callee, value := p.callees.most()
	work := "in its own code"
	if callee != "" {
		work = "in " + symbol.ShortFunc(callee)
	}
	if value < half*p.direct || s.Kind == profile.KindHeap || s.Kind == profile.KindMutex {
		work = ""
	}
	out := s.at(s.where(p), p.value, p.samples, work)
	out.For = s.facts(p)
	if len(earlier) > 0 {
		before, same := 0.0, func(old *place) bool { return old.name == p.name }
		if i := slices.IndexFunc(earlier[0].places, same); i >= 0 {
			before = earlier[0].places[i].value
		}
		if grown := p.value - before; grown > 0 {
			out.Points += suspect.Strong * min(grown/heavyHeap, 1)
			out.For = slices.Insert(out.For, 0, fmt.Sprintf("It grew from %s to %s over %d profiles", s.amount(before),
				s.amount(p.value), len(earlier)+1))
		}
	}
	return out
}

// below is the function of a dependency in which nearly all of a place's time is spent: the library, or what it was
// given, may be the reason.
func (s *survey) below(p *place) []suspect.Suspect {
	sel := profile.Selection{View: s.View, Hits: p.hits, Weight: profile.Weight{Value: int64(p.direct)}}
	who := s.Common(&sel, nearlyAll)
	if who == nil || who.Class != frame.ClassDependency && who.Class != frame.ClassVendored ||
		declared(who.Func) == p.name {
		return nil
	}
	out := s.at(rules.PlaceOf(who.Frame), float64(who.Weight.Value), who.Weight.Samples, "")
	out.Points *= nearlyAll
	out.For = []string{symbol.ShortFunc(p.name) + " causes all of it"}
	return []suspect.Suspect{out}
}

// at is a suspect at a line that has a part of the profile, and does some work, or "".
func (s *survey) at(where rules.Place, value float64, samples int64, work string) suspect.Suspect {
	k := kinds[s.Kind]
	out := suspect.Suspect{
		Title: s.title(where, value, work), Culprit: where, Category: k.category, Points: s.points(value),
		Against: []string{k.against}, Next: []rules.Step{s.Peek(where.Function)},
		Evidence: []rules.Evidence{{
			Input: s.Input, Goroutines: []uint64{}, Count: int(min(samples, 1<<31-1)), Share: value / max(s.total, 1),
			Text: s.part(value, s.total) + " of " + k.of + phrase.InBrackets(s.amount(value)),
		}},
	}
	if where.Function == "" {
		out.Next = []rules.Step{s.dump}
	}
	if n := s.Samples(); n < fewSamples {
		out.Against = append(out.Against, "Few samples ("+phrase.Number(n)+")")
	}
	out.Usual = out.Points < suspect.Shown
	return out
}

// process describes what stacks without code of the program do.
func (s *survey) process(work string, value float64) suspect.Suspect {
	out := s.at(rules.Place{}, value, 0, work)
	switch work {
	case "":
		out.Title = "The profile shows none of " + kinds[s.Kind].of
	case waitingForWork:
		out.Points, out.Usual = 0, true
	default:
		out.Points /= 2
		out.For = []string{"None of these stacks shows code of the program"}
	}
	return out
}

// idle describes a process that hardly ran, with who used the little there is.
func (s *survey) idle(all []suspect.Suspect) suspect.Suspect {
	out, most := s.at(rules.Place{}, s.total, s.Samples(), ""), ""
	if len(all) > 0 {
		dump := out.Next
		out, most = all[0], "; most of it in "+rules.PlaceText(all[0].Culprit)
		out.Next = append(dump, out.Next...)
	}
	out.Title = phrase.Fit(fmt.Sprintf("The process was idle: %s in %s%s", phrase.Cores(s.Cores()),
		phrase.Duration(s.Duration), most), phrase.MaxTitle)
	out.Usual, out.Points = true, min(out.Points, suspect.Shown/2)
	return out
}

// points are those of a part of the profile: its share, as far as it matters.
func (s *survey) points(value float64) float64 {
	matters, most, span := unknown, 1.0, cmp.Or(s.Duration, s.Age).Seconds()
	if span == 0 {
		span, most = shortLife, unknown
	}
	switch s.Kind {
	case profile.KindCPU:
		matters, most = cmp.Or(s.Cores()/busyCores, unknown), 1
	case profile.KindHeap:
		matters, most = value/heavyHeap, 1
	case profile.KindAllocs:
		matters = value / heavyRate / span
	case profile.KindMutex, profile.KindBlock:
		matters = s.Seconds(int64(value)) / span
	}
	n := s.EffectiveSamples()
	return suspect.Strong * min(profile.Wilson(value/max(s.total, 1)*n, n)/dominant, 2) * min(matters, most)
}

// facts are what singles a place out besides its share, which the title has, strongest first.
func (s *survey) facts(p *place) []string {
	of := kinds[s.Kind].of
	var all []string
	switch callee, value := p.callees.most(); {
	case value < half*p.direct:
	case callee == "" && s.Kind == profile.KindCPU:
		all = append(all, s.part(value, p.direct)+" of that is in its own code")
	case callee != "":
		all = append(all, s.part(value, p.direct)+" of that is in "+symbol.ShortFunc(callee)+", which it calls")
	}
	if caller, value := p.callers.most(); value >= half*p.direct {
		all = append(all, symbol.ShortFunc(caller)+" is the caller for "+s.part(value, p.direct)+" of that")
	}
	if work, value := p.system.most(); value >= minShare*s.total {
		all = append(all, fmt.Sprintf("%s of %s is %s on the runtime's own stacks, and is attributed to the functions "+
			"that cause it", s.part(value, s.total), of, work))
	}
	if p.allocated > 0 && p.value >= nearlyAll*p.allocated {
		all = append(all, "Almost nothing that was allocated there was freed")
	}
	return all
}

// label is the value of a profiler label that has most of the profile, among several.
func (s *survey) label() []string {
	keys := s.LabelKeys()
	for _, key := range keys[:min(len(keys), maxKeys)] {
		split := slices.DeleteFunc(s.SplitByLabel(key), func(l profile.LabelWeight) bool { return l.Value == "" })
		if len(split) > 1 && s.LowerBound(split[0].Weight) >= half {
			return []string{phrase.Percent(s.Share(split[0].Weight)) + " of " + kinds[s.Kind].of + " has the label " +
				phrase.Cut(key+"="+split[0].Value, 60)}
		}
	}
	return nil
}

// title is who takes how much, with the work and the line behind it as far as there is room.
func (s *survey) title(where rules.Place, value float64, work string) string {
	text := fmt.Sprintf(kinds[s.Kind].takes, s.part(value, max(s.total, 1)))
	if amount := s.amount(value); amount != "" {
		text += ": " + amount
	}
	if work != "" {
		work = ", " + work
	}
	name, bare, at := rules.TitleParts(where)
	if where.Function == "" {
		name, bare, at = "The process", "The process", ""
	}
	return rules.FirstTitle(phrase.Fit(bare+text+at, phrase.MaxTitle), name+text+work+at, bare+text+work+at,
		bare+text+at)
}

// part writes a part of a sum.
func (s *survey) part(value, sum float64) string { return phrase.Percent(value / max(sum, 1)) }

// amount is a part of the profile in the unit that matters: cores, bytes, seconds; "" where it is unknown.
func (s *survey) amount(value float64) string {
	if s.Kind != profile.KindCPU {
		return phrase.Amount(int64(value), s.Types[s.Value].Unit)
	}
	if c := s.Cores(); c > 0 {
		return phrase.Cores(c * value / max(s.total, 1))
	}
	return ""
}

// join makes one suspect of those at one place.
func join(all []suspect.Suspect) []suspect.Suspect {
	slices.SortStableFunc(all, suspect.Compare)
	var out []suspect.Suspect
	for _, s := range all {
		i := slices.IndexFunc(out, func(o suspect.Suspect) bool {
			return s.Culprit.Function != "" && declared(o.Culprit.Function) == declared(s.Culprit.Function)
		})
		if i < 0 {
			out = append(out, s)
		} else if first := &out[i]; len(first.Evidence) < rules.MaxEvidence {
			first.Evidence = append(first.Evidence, s.Evidence...)
			first.For, first.Against = union(first.For, s.For), union(first.Against, s.Against)
		}
	}
	return out
}

func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(slices.Clone(b), func(s string) bool { return slices.Contains(a, s) })...)
}

func declared(function string) string { return symbol.Base(symbol.StripVendor(function)) }
