package auditlog

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of scale-undone. An autoscaler looks every 15 s and scales down no sooner than 5 minutes after the last
// need for more (horizontal-pod-autoscaler-sync-period, downscale-stabilization), so that a load that rises and falls
// turns it around once or twice; people scale up, down and up again. Chosen well above both.
const (
	scaleTurns = 6
	scaleQuick = time.Minute
	// scaleFixed is the share of the two commonest values of one actor.
	scaleFixed = 0.8
	// scaleSyncs is how many writes within ten minutes an autoscaler makes only if something undoes them: half of its
	// 40 syncs.
	scaleSyncs = 20
	// scaleAnswers is how often two must take turns where the level shows no replicas, and scaleEven how alike in
	// number their writes must be: who patches labels doesn't write as often as an autoscaler scales.
	scaleAnswers = 20
	scaleEven    = 0.7
	scaleAnswer  = 30 * time.Second
)

// scaleUndone is scale-undone (TR778).
func scaleUndone(t *audit.Trail) (found []rules.Finding) {
	for object := range t.ByObject {
		if len(t.ByObject[object]) < scaleTurns {
			continue
		}
		s := scalings(t, int32(object))
		if s == nil || len(s.writes) < scaleTurns {
			continue
		}
		if f := scaleFinding(t, s); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// A scaling is who sets how many replicas one object wants, in order.
type scaling struct {
	object int32
	writes []int32 // of the scale subresource
	actors []int32 // of these, each once
	values []int   // where bodies show them
	turns  int     // how often the values turned around
	gap    time.Duration
	dense  int // the most writes of one actor within ten minutes
	// answers is how often the scale and the object itself were written in turns by the two that wrote most.
	other    int32
	answers  int
	others   int
	answerIn time.Duration
}

func scalings(t *audit.Trail, object int32) *scaling {
	s := &scaling{object: object, other: -1}
	var gaps []int64
	var times []int64
	for _, i := range t.ByObject[object] {
		w := &t.Writes[i]
		if !w.OK() || t.Texts[w.Sub] != "scale" {
			continue
		}
		if n := len(s.writes); n > 0 {
			gaps = append(gaps, w.Time-t.Writes[s.writes[n-1]].Time)
		}
		s.writes = append(s.writes, i)
		times = append(times, w.Time)
		if !slices.Contains(s.actors, w.Actor) && len(s.actors) < 8 {
			s.actors = append(s.actors, w.Actor)
		}
		if v, err := strconv.Atoi(t.Texts[w.Note]); err == nil &&
			(len(s.values) == 0 || s.values[len(s.values)-1] != v) {
			s.values = append(s.values, v)
		}
	}
	if len(s.writes) == 0 || fightOver(t, object) {
		return nil
	}
	for i := 2; i < len(s.values); i++ {
		if (s.values[i] > s.values[i-1]) != (s.values[i-1] > s.values[i-2]) {
			s.turns++
		}
	}
	slices.Sort(gaps)
	if len(gaps) > 0 {
		s.gap = time.Duration(gaps[len(gaps)/2]) * time.Microsecond
	}
	for i, j := 0, 0; j < len(times); j++ {
		for times[j]-times[i] > (10 * time.Minute).Microseconds() {
			i++
		}
		s.dense = max(s.dense, j-i+1)
	}
	s.exchange(t)
	return s
}

// contested reports whether the values are two wills: several actors set them, or one sets the same two within seconds,
// as two autoscalers do that have one name. An autoscaler that follows a queue sets many, turning around each time.
func (s *scaling) contested() bool {
	n := map[int]int{}
	for _, v := range s.values {
		n[v]++
	}
	most, second := 0, 0
	for _, c := range n {
		if c > most {
			most, second = c, most
		} else {
			second = max(second, c)
		}
	}
	return len(s.actors) > 1 || s.gap <= scaleAnswer && partOf(most+second, len(s.values)) >= scaleFixed
}

// exchange counts how often another client wrote the object itself and the scale was written after it.
func (s *scaling) exchange(t *audit.Trail) {
	var waits []int64
	asked := int32(-1)
	for _, i := range t.ByObject[s.object] {
		w := &t.Writes[i]
		a := &t.Actors[w.Actor]
		switch {
		case !w.OK():
		case t.Texts[w.Sub] == "scale":
			if asked >= 0 && w.Actor != t.Writes[asked].Actor {
				s.answers++
				waits = append(waits, w.Time-t.Writes[asked].Time)
			}
			asked = -1
		case w.Sub == 0 && (w.Verb == audit.VerbUpdate || w.Verb == audit.VerbPatch) && !controlPlane(a):
			if s.other < 0 || s.other == w.Actor {
				s.other = w.Actor
				s.others++
				asked = i
			}
		}
	}
	slices.Sort(waits)
	if len(waits) > 0 {
		s.answerIn = time.Duration(waits[len(waits)/2]) * time.Microsecond
	}
}

// fightOver reports a fight about an object that is a finding of its own.
func fightOver(t *audit.Trail, object int32) bool {
	for i := range t.Fights {
		if f := &t.Fights[i]; f.Object == object {
			if severity, _, _, _ := judgeFight(t, f); severity != "" {
				return true
			}
		}
	}
	return false
}

func scaleFinding(t *audit.Trail, s *scaling) *rules.Finding {
	first, last := s.writes[0], s.writes[len(s.writes)-1]
	o := objectOf(&t.Objects[s.object])
	var names []string
	for _, a := range s.actors {
		names = append(names, t.Actors[a].Name())
	}
	f := finding(o, len(s.writes), t.Writes[first].Time, t.Writes[last].Time, slices.Compact(names)...)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	took := span(t.Writes[first].Time, t.Writes[last].Time)
	even := partOf(min(s.others, len(s.writes)), max(s.others, len(s.writes)))
	switch {
	case s.turns >= scaleTurns && s.gap <= scaleQuick && s.contested():
		low, high := slices.Min(s.values), slices.Max(s.values)
		f.Title = title("%s %s is scaled back and forth between %d and %d, %d times in %s", o.Kind, o.Name, low, high,
			s.turns, took)
		f.Confidence = rules.ConfHigh
		f.Why = fmt.Sprintf("%s wrote the scale of %s %d times in %s. It turned around %d times: %v.",
			phrase.Some(shorts(names), 3), objectText(o), len(s.writes), took, s.turns,
			s.values[:min(len(s.values), 8)])
	case len(s.values) <= 1 && s.other >= 0 && 2*s.answers >= scaleAnswers && even >= scaleEven &&
		s.answerIn <= scaleAnswer:
		other := t.Actors[s.other].Name()
		f.Actors = append(f.Actors, other)
		f.Title = title("%s scales %s %s each time after %s has written it", short(names[0]), o.Kind, o.Name,
			short(other))
		f.Why = fmt.Sprintf("%s wrote %s %d times, and %d times %s wrote its scale within %s.", short(other),
			objectText(o), s.others, s.answers, short(names[0]), phrase.Seconds(s.answerIn.Seconds()))
	case len(s.values) == 0 && s.dense >= scaleSyncs && slices.ContainsFunc(s.actors, func(a int32) bool {
		return autoscaler(&t.Actors[a])
	}):
		f.Title = title("%s scales %s %s %d times in %s", short(names[0]), o.Kind, o.Name, len(s.writes), took)
		f.Why = fmt.Sprintf("%s wrote the scale of %s %d times in %s, up to %d times in ten minutes.",
			phrase.Some(shorts(names), 3), objectText(o), len(s.writes), took, s.dense)
	default:
		return nil
	}
	f.Fix = fmt.Sprintf("Let one client alone decide how many replicas %s has.", objectText(o))
	f.Evidence = []rules.Evidence{wrote(t, first, len(s.writes), agentOf(&t.Actors[s.actors[0]]), s.value(t, first)),
		wrote(t, last, 1, "", s.value(t, last)+": the last")}
	f.Next = append(nextOf(t, &t.Objects[s.object]), rules.Command("kubectl "+inNamespace(o.Namespace)+
		"get horizontalpodautoscalers -o wide"))
	return &f
}

// shorts are users' names without what all names of their kind begin with.
func shorts(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = short(n)
	}
	return all
}

// value is the replicas that a write asks for.
func (s *scaling) value(t *audit.Trail, i int32) string {
	if v := t.Texts[t.Writes[i].Note]; v != "" {
		return ", replicas " + v
	}
	return ""
}
