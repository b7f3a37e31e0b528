package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// piles are the rules about goroutines that pile up: by their number, in one dump or over several, without who holds
// them up: lock-pile-up, growing-goroutines, channel-send-leak, requests-wait-for-nobody.
var piles = [...]string{"TR661", "TR450", "TR412", "TR448"}

// growthRule is growing-goroutines, which shows in several dumps that a pile does not go away.
const growthRule = "TR450"

// connections are the rules about connections of net/http that pile up, as a dump shows them: http-body-not-closed and
// http-connections-kept. openedBy is left-open-by-source, which names the call that opened them.
var connections = [...]string{"TR424", "TR662"}

const openedBy = "TR468"

// Symptoms makes one finding of a standstill and what follows from it. Where a goroutine of an object is stuck for
// good, those who want something of that object pile up behind it; their number is bigger and often more severe, but
// who reads of it first looks in the wrong place. And goroutines that wait in a function for a result, or for a lock,
// are stuck because one of them has panicked there, and what recovered the panic let them wait: both are one event.
// Findings are looked up by their names, because a bundle of thousands of pods has tens of thousands of them.
func Symptoms(found []rules.Finding) []rules.Finding {
	causes := standstillsOf(found)
	symptom := make([]bool, len(found))
	for k := range found {
		f := &found[k]
		main := causes.behind(f)
		if main == nil {
			continue
		}
		symptom[k] = true
		main.Notes = append(slices.Clip(main.Notes), noteOf(f))
		if main.Severity.Rank() < f.Severity.Rank() && f.Rule == growthRule {
			// The pile has grown from dump to dump: nobody was let go in between.
			main.Severity = f.Severity
		}
	}
	return without(found, func(k int) bool { return symptom[k] })
}

// standstills are the findings that others may follow from, the worst first, and where each is first by a name.
type standstills struct {
	worst []*rules.Finding
	calls map[nameIn]int   // by the functions and types on the stack
	stuck map[nameIn][]int // by the function that waits: the first, and the first at another line
	// opened is, by the goroutines that a finding shows, the call of the program that opened their connections.
	opened map[shown]*rules.Finding
}

// A shown is a group of goroutines in an input: its first line, and in forms that only count, which have none, where it
// is.
type shown struct {
	input string
	line  int64
	at    rules.Place
}

func shownBy(e *rules.Evidence) shown {
	return shown{e.Input, e.Line, *cmp.Or(e.At, &rules.Place{})}
}

// A nameIn is a function (pkg is ""), or a type of a package, in an input.
type nameIn struct{ input, pkg, name string }

func standstillsOf(found []rules.Finding) standstills {
	s := standstills{calls: map[nameIn]int{}, stuck: map[nameIn][]int{}, opened: map[shown]*rules.Finding{}}
	for i := range found {
		f := &found[i]
		if f.Rule == openedBy {
			for i := range f.Evidence {
				s.opened[shownBy(&f.Evidence[i])] = f
			}
		}
		if f.Category == rules.Deadlock && f.Alarm() && len(f.Path) > 0 && !isPile(f) {
			s.worst = append(s.worst, f)
		}
	}
	slices.SortStableFunc(s.worst, func(a, b *rules.Finding) int { return compareWorse(*a, *b) })
	for n, f := range s.worst {
		for _, input := range f.Sources {
			s.index(n, input)
		}
	}
	return s
}

// index enters a standstill by its names in an input.
func (s *standstills) index(n int, input string) {
	f := s.worst[n]
	for _, frame := range f.Path {
		for _, key := range namesOf(input, frame.Function) {
			if _, ok := s.calls[key]; !ok {
				s.calls[key] = n
			}
		}
	}
	key := nameIn{input: input, name: f.Culprit.Function}
	known := s.stuck[key]
	if len(known) == 0 || len(known) == 1 && s.worst[known[0]].Culprit.Line != f.Culprit.Line {
		s.stuck[key] = append(known, n)
	}
}

// behind is the worst standstill that is why f is there, nil for none. Goroutines that wait in a function want
// something of an object that a stuck goroutine works on if the function is on its stack, or a method of a type that
// has one there. A panic lets others wait where its stack came through the function in which they wait, at another
// line; what ended the process is no symptom of anything.
func (s *standstills) behind(f *rules.Finding) *rules.Finding {
	if ofConnections(f) {
		for i := range f.Evidence {
			if main := s.opened[shownBy(&f.Evidence[i])]; main != nil {
				return main
			}
		}
	}
	first := len(s.worst)
	for _, input := range f.Sources {
		switch {
		case f.Culprit.Function == "":
		case isPile(f):
			for _, key := range namesOf(input, f.Culprit.Function) {
				if n, ok := s.calls[key]; ok {
					first = min(first, n)
				}
			}
		case f.Category == rules.Crash && f.Severity != rules.Critical:
			for _, frame := range f.Path {
				for _, n := range s.stuck[nameIn{input: input, name: frame.Function}] {
					if frame.Line != s.worst[n].Culprit.Line {
						first = min(first, n)
					}
				}
			}
		}
	}
	if first == len(s.worst) {
		return nil
	}
	return s.worst[first]
}

// ofConnections reports whether a finding is about connections of net/http, not about the call that opened them.
func ofConnections(f *rules.Finding) bool {
	return slices.Contains(connections[:], f.Rule) ||
		f.Rule == growthRule && strings.HasPrefix(f.Culprit.Function, "net/http.(*")
}

func isPile(f *rules.Finding) bool { return slices.Contains(piles[:], f.Rule) }

// namesOf are the names by which a function is looked up: its own, and that of its receiver's type.
func namesOf(input, fn string) []nameIn {
	names := []nameIn{{input: input, name: fn}}
	if n := symbol.ParseName(fn); n.Receiver != "" {
		names = append(names, nameIn{input, n.Package, n.Receiver})
	}
	return names
}
