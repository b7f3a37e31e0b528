package cluster

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A key names an object, or a client of the API server: then its kind is client.
type key struct{ kind, namespace, name string }

// client is the kind of who sends requests: a service account with its namespace, or a user.
const client = "client"

func keyOf(r kube.Ref) key { return key{r.Kind, r.Namespace, r.Name} }

// String is "Deployment shop/web", "client ci/runner".
func (k key) String() string {
	if k.namespace == "" {
		return k.kind + " " + k.name
	}
	return k.kind + " " + k.namespace + "/" + k.name
}

// A fact is one thing that is true of its subject.
type fact struct {
	about  key
	kind   string // of one suspect, the best fact of each kind counts
	points float64
	// text is the sentence without its subject, more are further clauses, and message is what the cluster itself says.
	text, more, message string
	via                 []key // what a message names, who writes: they are the same suspect
	named               bool  // via[0] is named as the reason
	count               int
	at                  rules.Evidence // its place and time
	against             string         // what speaks for another reason
	of                  rules.Category // "" where it isn't evident
}

// file keeps a fact about something that has a name.
func (v *view) file(f fact) {
	if f.about.name == "" {
		return
	}
	f.at.Count = max(f.count, 1)
	v.facts = append(v.facts, &f)
}

// fileNaming keeps a fact whose message may name the reason, in the namespace of its subject.
func (v *view) fileNaming(f fact) {
	f.via = v.refs(f.about.namespace, f.message)
	f.named = len(f.via) > 0
	v.file(f)
}

// lg is the logarithm to base 2 of what is above 1, else 0: points grow with it.
func lg(x float64) float64 { return math.Log2(max(1, x)) }

// grows is slope points for each doubling beyond 1, most at most.
func grows(x, slope, most float64) float64 { return min(most, slope*lg(x)) }

// agePoints are for what has lasted: up to 10, which a quarter of an hour has.
func agePoints(d time.Duration) float64 { return grows(1+d.Minutes(), 2.5, 10) }

// plus is points where ok, else 0.
func plus(ok bool, points float64) float64 {
	if ok {
		return points
	}
	return 0
}

// onlyIf is s where ok, else "".
func onlyIf(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// rate is how often something came: "3.1/s", "12/min", "4/h"; "" for a single time.
func rate(n int, d time.Duration) string {
	if n < 2 || d <= 0 {
		return ""
	}
	switch r := float64(n) / d.Seconds(); {
	case r >= 10:
		return fmt.Sprintf("%.0f/s", r)
	case r >= 1:
		return fmt.Sprintf("%.1f/s", r)
	case r*60 >= 1:
		return fmt.Sprintf("%.0f/min", r*60)
	default:
		return fmt.Sprintf("%.1f/h", r*3600)
	}
}

// in is " in 2 min (3.1/s)", "" for a single time.
func in(n int, d time.Duration) string {
	if n < 2 || d <= 0 {
		return ""
	}
	return " in " + phrase.Spell(d) + phrase.InBrackets(rate(n, d))
}

// over reports whether something ended well before it was looked at.
func over(now, first, last time.Time) bool {
	return !last.IsZero() && now.Sub(last) > max(20*time.Second, last.Sub(first)/2)
}

func at(place kube.At, when time.Time) rules.Evidence {
	e := rules.Evidence{Input: place.Input, Line: place.Line}
	if !when.IsZero() {
		e.Time = when.UTC().Format(time.RFC3339Nano)
	}
	return e
}

func placed(p audit.Place, micros int64) rules.Evidence {
	return at(kube.At{Input: p.Path, Line: p.Line}, audit.Time(micros))
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// A group is what some things have in common: what they are about, and up to four words.
type group struct {
	about      key
	a, b, c, d string
}

// A tally is how many things a group has, and what they show together.
type tally struct {
	count       int
	first, last time.Time
	age         time.Duration  // the longest
	message     string         // the longest
	at          rules.Evidence // of the first
	one         *kube.Meta     // the first of the oldest
	more        []string       // a few distinct words
	keys        []key          // a few distinct keys
	yes, no     int            // how many are well, and how many are not
}

// add counts n things with their times.
func (t *tally) add(n int, first, last time.Time, message string, place rules.Evidence) {
	if t.count == 0 || first.Before(t.first) {
		t.first, t.at = first, place
	}
	if last.After(t.last) {
		t.last = last
	}
	if len(message) > len(t.message) {
		t.message = message
	}
	t.count += n
}

// addObject counts an object with its age.
func (t *tally) addObject(m *kube.Meta, age time.Duration, message string, since time.Time) {
	if t.one == nil || age > t.age {
		t.one, t.age = m, age
	}
	t.add(1, since, since, message, at(m.At, since))
}

func (t *tally) long() time.Duration { return t.last.Sub(t.first) }

// groups keep values by group, in the order in which the groups came.
type groups[V any] struct {
	keys   []group
	values map[group]*V
}

// of is the value of a group, an empty one where it is new.
func (g *groups[V]) of(k group) *V {
	if g.values == nil {
		g.values = map[group]*V{}
	}
	if g.values[k] == nil {
		g.keys = append(g.keys, k)
		g.values[k] = new(V)
	}
	return g.values[k]
}

func (g *groups[V]) each(f func(group, *V)) {
	for _, k := range g.keys {
		f(k, g.values[k])
	}
}

// few is how many names a fact keeps.
const few = 4

// addFew adds what is not there yet to a few.
func addFew[T comparable](list []T, x T) []T {
	for _, y := range list {
		if x == y {
			return list
		}
	}
	if len(list) == few {
		return list
	}
	return append(list, x)
}

// counts count words, those that come first.
type counts map[string]int

func (c *counts) add(word string) {
	const most = 16
	if *c == nil {
		*c = counts{}
	}
	if len(*c) < most || (*c)[word] > 0 {
		(*c)[word]++
	}
}

// mostOf is the most frequent, the first in order of several.
func mostOf[K cmp.Ordered](n map[K]int) (most K, count int) {
	for k, c := range n {
		if c > count || c == count && k < most {
			most, count = k, c
		}
	}
	return most, count
}
