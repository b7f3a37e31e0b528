package cluster

import (
	"math"
	"slices"
	"strings"
	"time"

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

// A kind is what facts of one kind have in common.
type kind struct {
	least        float64 // how many things make a fact
	points, each float64 // of the least, and of each doubling
	of           rules.Category
	// text is the sentence without its subject: {n} things, {s} where they are several, {in} a time, {for} as long,
	// {a}, {b} and {c} the words of the fact.
	text string
}

// The kinds. Their numbers are chosen: an informer lists a resource once, an object is written some ten times in its
// life, a pod has some ten versions, an upgrade changes a Lease once for each replica.
var (
	condition   = &kind{1, 18, 2, "", "{a}{for}{b}"}
	deleted     = &kind{1, 25, 2, rules.Deadlock, "terminating{for}{a}"}
	failed      = &kind{1, 16, 5, rules.PodStorm, "{n} failed pod{s}: {a}{in}"}
	missing     = &kind{1, 34, 2, "", "{a} {b}, which is not in the inputs"}
	refers      = &kind{1, 16, 2, "", missing.text}
	circle      = &kind{1, 34, 2, rules.Deadlock, "{a} {b}, which leads back to it"}
	selector    = &kind{1, 26, 2, "", "selects {a}, which no pod in its namespace has{for}"}
	noSuchPort  = &kind{1, 26, 2, "", "sends to port {a}{for}, but its pods declare {b}"}
	undeclared  = &kind{1.5, 18, 2, "", noSuchPort.text} // a pod may listen on others than it declares
	event       = &kind{1, 17, 3, "", "{n} event{s} {a}{in}"}
	pile        = &kind{20, 22, 5, rules.Leak, "{n} {a}{s}{b}{in}"}
	tooManyJobs = &kind{4, 22, 5, rules.Leak, pile.text}
	comeAndGo   = &kind{25, 20, 5, rules.HotLoop, "{n} {a}{s}{b} created{in}, some deleted since"}
	rewritten   = &kind{12, 17, 5, rules.HotLoop, "{n} writes{in}{a}"}
	madeAgain   = &kind{3, 28, 5, rules.HotLoop, "created {n} times{in}{a}"}
	holders     = &kind{3, 25, 6, rules.Contention, "{n} holder changes{in}"}
	creates     = &kind{25, 22, 5, rules.Leak, "creates {n} {a}{in}"}
	lists       = &kind{20, 20, 5, rules.HotLoop, "lists {a} {n} times{in}"}
	slow        = &kind{10, 16, 4, rules.Contention, "waits over a second for each of {n} {a} requests for {b}{in}"}
	failures    = &kind{8, 12, 5, "", "{n} {a} requests for {b} fail with {c}{in}"}
	logged      = &kind{5, 9, 3.5, "", "{n} error lines{in}"}
	fatal       = &kind{1, 28, 3.5, rules.Crash, "{n} fatal line{s}{in}"}
	repeated    = &kind{100, 20, 3.5, rules.HotLoop, "{n} lines with the same message about it{in}"}
)

// works are the kinds whose things are ordinary work.
var works = []*kind{pile, tooManyJobs, comeAndGo, rewritten, creates, lists}

// A fact is how many things of one kind are true of its subject.
type fact struct {
	sight
	count, meant int // how many, and how many of them are as they should be
	first, last  time.Time
	extra        float64        // points
	at           rules.Evidence // of the first
	one          key            // what was seen, where that may be another object than the subject
	message      string         // the longest of the cluster's own
	more         string         // a further clause
	via          []key          // what a message names, who writes: they are the same suspect
	named        bool           // via[0] is named as the reason
	end          time.Time      // of the input
}

// A sight is what distinguishes facts.
type sight struct {
	about   key
	kind    *kind
	a, b, c string
}

// see is the fact of a sight, a new one where it is the first.
func (v *view) see(k *kind, about key, words ...string) *fact {
	words = append(words, "", "", "")
	s := sight{about, k, words[0], words[1], words[2]}
	f := v.facts[s]
	if f == nil {
		f = &fact{sight: s}
		v.facts[s] = f
		v.order = append(v.order, f)
	}
	return f
}

// add counts n more things.
func (f *fact) add(n int, first, last time.Time, message string, place rules.Evidence) *fact {
	if f.count == 0 || first.Before(f.first) {
		f.first, f.at = first, place
	}
	if last.After(f.last) {
		f.last = last
	}
	if len(message) > len(f.message) {
		f.message = message
	}
	f.count += n
	return f
}

// object counts an object that is so since a time.
func (f *fact) object(m *kube.Meta, since time.Time, message string) *fact {
	if f.one.name == "" || !since.Before(f.last) {
		f.one = keyOf(m.Ref)
	}
	return f.add(1, since, since, message, at(m.At, since))
}

// lasts reports a fact that is a state, and goes on.
func (f *fact) lasts() bool { return strings.Contains(f.kind.text, "{for}") }

// stopped reports what ended well before its input does.
func (f *fact) stopped() bool {
	return !f.lasts() && !f.last.IsZero() && f.end.Sub(f.last) > max(20*time.Second, f.last.Sub(f.first)/2)
}

// share is how many things of a fact are not as they should be, over how many make one that counts. Fewer than that are
// nothing where each is all right by itself.
func (f *fact) share() float64 {
	n := max(0, float64(f.count-f.meant)/f.kind.least)
	if n < 1 && (slices.Contains(works, f.kind) || f.count == 1 && f.kind.least >= 2) {
		return 0
	}
	return n
}

// points are those of a fact. Too few things have less than any fact that counts.
func (f *fact) points() float64 {
	const most, age, over = 26, 10, 10 // for many, for long, for what is over
	n := f.share()
	if n < 1 {
		return n
	}
	p := f.kind.points + f.extra + min(most, f.kind.each*math.Log2(n))
	switch {
	case f.lasts() && !f.first.IsZero():
		p += min(age, 2.5*math.Log2(1+max(0, f.end.Sub(f.first).Minutes())))
	case f.stopped():
		p -= over
	}
	return p
}

// aMoment is the shortest time over which a rate says anything: of six requests in 10 ms it is not 600/s.
const aMoment = 100 * time.Millisecond

// text is the sentence of a fact without its subject.
func (f *fact) text() string {
	long, in, lasts := f.last.Sub(f.first), "", ""
	if f.count > 1 && long >= aMoment {
		in = " in " + phrase.Spell(long) + " (" + phrase.Rate(f.count, long) + ")"
	}
	if !f.first.IsZero() && f.end.After(f.first) {
		lasts = " for " + phrase.Spell(f.end.Sub(f.first))
	}
	text := strings.NewReplacer("{n}", phrase.Number(f.count), "{s}", phrase.OnlyIf(f.count != 1, "s"), "{in}", in,
		"{for}", lasts, "{a}", f.a, "{b}", f.b, "{c}", f.c).Replace(f.kind.text)
	switch {
	case f.one.name == "" || f.one == f.about:
	case f.count > 1 && f.lasts():
		text = phrase.Count(f.count, f.one.kind) + ": " + text
	default:
		text = f.one.kind + " " + f.one.name + ": " + text
	}
	return text
}

func at(place kube.At, when time.Time) rules.Evidence {
	return rules.Evidence{Input: place.Input, Line: place.Line, Time: phrase.Time(when)}
}

// addFew adds what is not there yet to a few.
func addFew[T comparable](list []T, x T) []T {
	const few = 4
	if len(list) == few || slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
