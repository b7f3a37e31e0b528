package objects

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on what a finding about objects says.
const (
	maxObjectEvidence = 8   // what fits on a screen; Count has them all
	maxObjectText     = 240 // of a message that is quoted as evidence
	maxNamed          = 5   // names in one sentence
)

// finding begins a finding about an object, seen between first and last.
func finding(
	about kube.Ref, s rules.Severity, c rules.Confidence, count int, first, last time.Time,
) rules.Finding {
	return rules.Finding{Object: objectOf(about), Severity: s, Confidence: c, Count: count,
		FirstSeen: phrase.Time(first), LastSeen: phrase.Time(last)}
}

// objectOf is the object that a finding is about.
func objectOf(r kube.Ref) *rules.Object {
	return &rules.Object{API: r.API, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// kindName names an object in a sentence: "Deployment shop/gpu-index".
func kindName(r kube.Ref) string { return objectOf(r).Text() }

// title is "KIND NAME ACT" with the first act that fits into MaxTitle characters, else the last one, for which all long
// names lose their middles. A name longer than most loses it in any case.
func title(r kube.Ref, acts ...string) string {
	const longName = 60
	titles := make([]string, len(acts))
	for i, act := range acts {
		titles[i] = r.Kind + " " + phrase.Shorten(r.Name, longName) + " " + act
	}
	whole := r.Kind + " " + r.Name + " " + acts[len(acts)-1]
	return phrase.Fit(rules.FirstTitle(whole, titles...), phrase.MaxTitle)
}

// evidence is one thing that an object says.
func evidence(at kube.At, when time.Time, count int, format string, args ...any) rules.Evidence {
	text := phrase.Cut(fmt.Sprintf(format, args...), maxObjectText)
	return rules.Evidence{Input: at.Input, Line: at.Line, Time: phrase.Time(when), Text: text, Count: count}
}

// ago reports how long before the cluster was looked at something was; "" where either is unknown.
func ago(c *kube.Cluster, t time.Time) string {
	if t.IsZero() || c.Time.IsZero() || t.After(c.Time) {
		return ""
	}
	return phrase.Spell(c.Time.Sub(t)) + " before the objects were read"
}

// watchWrites are the commands that show who writes what of an object.
func watchWrites(r kube.Ref) []rules.Step {
	return rules.Commands(objectOf(r).Kubectl("get", "-w -o json --show-managed-fields --output-watch-events"),
		objectOf(r).Kubectl("get", "-o yaml --show-managed-fields"))
}

// describe is the command that shows a pod with its containers' last states and its events.
func describe(p *kube.Pod) rules.Step {
	return rules.Target{Namespace: p.Namespace, Pod: p.Name}.Describe()
}

// exitMeaning explains an exit code as the kubelet reports it: 128 and a signal's number for a death by a signal.
func exitMeaning(code int) string {
	meaning := map[int]string{
		0:   "it exited by itself",
		1:   "an error of its own",
		2:   "a Go panic, a fatal error, SIGQUIT or a flag error",
		126: "its command can't be run",
		127: "its command can't be run",
		134: "SIGABRT",
		137: "SIGKILL",
		139: "SIGSEGV outside Go code",
		143: "SIGTERM",
		255: "an error of its own, or the container was lost with its node",
	}[code]
	if meaning == "" && code > 128 && code < 160 {
		meaning = "signal " + strconv.Itoa(code-128)
	}
	return meaning
}

// exitText is "exit code 2 (…)".
func exitText(t *kube.Termination) string {
	if t.Exit < 0 {
		return t.Reason
	}
	return "exit code " + strconv.Itoa(t.Exit) + phrase.InBrackets(exitMeaning(t.Exit))
}

// someNames writes the first names of a list and how many more there are.
func someNames(names []string) string { return phrase.Some(names, maxNamed) }

// containsAll reports whether s holds every part.
func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// A grouping keeps values by key, keys in the order in which they came.
type grouping[K comparable, V any] struct {
	keys   []K
	values map[K][]V
}

func (g *grouping[K, V]) add(key K, value V) {
	if g.values == nil {
		g.values = map[K][]V{}
	}
	if g.values[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.values[key] = append(g.values[key], value)
}

// findings makes one finding of each group.
func (g *grouping[K, V]) findings(of func(K, []V) rules.Finding) []rules.Finding {
	return findings(g.keys, func(k K) rules.Finding { return of(k, g.values[k]) })
}

// findings makes one finding of each value of a list.
func findings[T any](all []T, of func(T) rules.Finding) []rules.Finding {
	var found []rules.Finding
	each(all, func(v T) { found = append(found, of(v)) })
	return found
}

// each calls f for all values of a list.
func each[T any](all []T, f func(T)) {
	for _, v := range all {
		f(v)
	}
}

// lately is how long what has ended is news: within a day (chosen).
const lately = 24 * time.Hour

// since is how long before the cluster was looked at something was; 0 where either is unknown.
func since(c *kube.Cluster, t time.Time) time.Duration {
	if t.IsZero() || c.Time.IsZero() {
		return 0
	}
	return c.Time.Sub(t)
}

// unsureSince doubts a finding about what has gone on for longer than long by the cluster's time, and not by that of
// its own input: this one was collected before the others, and what it shows may have ended since.
func unsureSince(c *kube.Cluster, f *rules.Finding, at kube.At, from time.Time, long time.Duration) {
	taken := c.Taken(at.Input)
	if taken.IsZero() || from.IsZero() || taken.Sub(from) >= long || since(c, from) < long {
		return
	}
	f.Doubt("The newest timestamp near this object is " + phrase.Time(taken) + ", long before that of other inputs: " +
		"it " +
		"may have ended since.")
}

// deletedAt is when the DELETE came.
func deletedAt(m *kube.Meta) time.Time {
	if m.Deleted.IsZero() {
		return m.Deleted
	}
	return m.Deleted.Add(-time.Duration(m.Grace) * time.Second)
}

func atTime(t time.Time) string { return phrase.OnlyIf(!t.IsZero(), " at "+phrase.Time(t)) }
