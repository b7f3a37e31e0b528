package cluster

import (
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

// client is the kind of keys that name who sends requests: a service account with its namespace, or a user.
const client = "client"

func keyOf(r kube.Ref) key { return key{r.Kind, r.Namespace, r.Name} }

func (k key) isClient() bool { return k.kind == client }

// String is "Deployment shop/web", "client ci/runner".
func (k key) String() string {
	if k.namespace == "" {
		return k.kind + " " + k.name
	}
	return k.kind + " " + k.namespace + "/" + k.name
}

// A kind of fact: of one suspect, only the best fact of each kind counts.
type kind string

// The kinds of facts.
const (
	condition   kind = "condition"
	terminating kind = "terminating"
	waiting     kind = "waiting"
	restarts    kind = "restarts"
	failedPods  kind = "failed pods"
	unready     kind = "unready"
	unobserved  kind = "unobserved"
	respecified kind = "respecified"
	budget      kind = "budget"
	cordoned    kind = "cordoned"
	unbound     kind = "unbound"
	selector    kind = "selector"
	missing     kind = "missing"
	event       kind = "event"
	eventPile   kind = "event pile"
	pile        kind = "pile"
	creations   kind = "creations"
	madeAgain   kind = "made again"
	rewritten   kind = "rewritten"
	lease       kind = "lease"
	reads       kind = "reads"
	watches     kind = "watches"
	failures    kind = "failures"
	slowWebhook kind = "slow webhook"
	logged      kind = "logged"
	repeated    kind = "repeated"
	late        kind = "late"
)

// A fact is one thing that is true of its subject.
type fact struct {
	about  key
	kind   kind
	points float64
	// text is the sentence without its subject, more are further clauses, and message is what the cluster itself says.
	text, more, message string
	// via are what it refers to: what a message names, who writes. They belong to the same suspect.
	via     []key
	named   bool // via[0] is named as the reason
	count   int
	at      rules.Evidence // the place and the time; its text is the fact's
	against string         // what speaks for another reason
	of      rules.Category // "" where it isn't evident
}

// file keeps a fact.
func (v *view) file(f fact) {
	f.at.Count = max(f.count, 1)
	v.facts = append(v.facts, &f)
}

// lg is the logarithm to base 2 of what is above 1, else 0: points grow with it.
func lg(x float64) float64 {
	if x <= 1 {
		return 0
	}
	return math.Log2(x)
}

// grows is slope points for each doubling beyond 1, most at most.
func grows(x, slope, most float64) float64 { return min(most, slope*lg(x)) }

// agePoints are for what has lasted: up to 10, which a quarter of an hour has.
func agePoints(d time.Duration) float64 { return grows(1+d.Minutes(), 2.5, 10) }

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

// Groups keep values by key, in the order in which the keys came.
type groups[K comparable, V any] struct {
	keys   []K
	values map[K]*V
}

func newGroups[K comparable, V any]() *groups[K, V] { return &groups[K, V]{values: map[K]*V{}} }

// of is the value of a key, an empty one where the key is new.
func (g *groups[K, V]) of(k K) *V {
	value := g.values[k]
	if value == nil {
		value = new(V)
		g.keys = append(g.keys, k)
		g.values[k] = value
	}
	return value
}

func (g *groups[K, V]) each(f func(K, *V)) {
	for _, k := range g.keys {
		f(k, g.values[k])
	}
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

// onlyIf is s where ok, else "".
func onlyIf(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// plus is points where ok, else 0.
func plus(ok bool, points float64) float64 {
	if ok {
		return points
	}
	return 0
}
