package cluster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// bind is how many points a fact needs for what it refers to to be the same suspect, maxVia how many of these
	// count.
	bind, maxVia = 14, 3
	// least is how many points of facts a suspect that is shown has, perPoint how many make a point of a suspect.
	least, perPoint = 24, 4
)

// weights are by how much the best facts of a suspect count, each of another kind.
var weights = []float64{1, 0.3, 0.15, 0.08}

// A chain is the facts about objects and clients that belong together.
type chain struct {
	subject key
	facts   []*fact // best first, then the best of each kind
	points  float64
}

// suspects are the chains as suspects: those that are worth a look, else the best one.
func (v *view) suspects() []suspect.Suspect {
	chains := v.chains()
	slices.SortStableFunc(chains, func(a, b *chain) int {
		return cmp.Or(cmp.Compare(b.points, a.points), strings.Compare(a.subject.String(), b.subject.String()))
	})
	var all []suspect.Suspect
	for i, c := range chains[:min(len(chains), suspect.Limit)] {
		if s := v.suspect(c); i == 0 || s.Points >= suspect.Shown {
			all = append(all, s)
		}
	}
	return all
}

// chains folds the facts.
func (v *view) chains() (all []*chain) {
	up := map[key]key{}
	top := func(k key) key {
		for next, ok := up[k]; ok; next, ok = up[k] {
			k = next
		}
		return k
	}
	v.few = !slices.ContainsFunc(v.order, func(f *fact) bool { return f.about.name != "" && f.share() >= 1 })
	v.order = slices.DeleteFunc(v.order, func(f *fact) bool {
		f.end = v.end(f.at.Input)
		return f.about.name == "" || f.points() <= 0 || f.share() < 1 && !v.few
	})
	for _, f := range v.order {
		f.about = v.workloadOf(f.about)
		f.via = slices.Clone(f.via[:min(len(f.via), maxVia)])
		for i, k := range f.via {
			f.via[i] = v.workloadOf(k)
			if a, b := top(f.via[i]), top(f.about); f.points() >= bind && a != b {
				up[b] = a
			}
		}
	}
	sets := map[key]*chain{}
	for _, f := range v.order {
		k := top(f.about)
		if sets[k] == nil {
			sets[k] = &chain{}
			all = append(all, sets[k])
		}
		sets[k].facts = append(sets[k].facts, f)
	}
	for _, c := range all {
		c.rank()
		v.narrow(c)
	}
	return all
}

// narrow makes the only object that a chain was seen on its subject, where the inputs lack the workload above it.
func (v *view) narrow(c *chain) {
	one := c.facts[0].one
	if v.objects[c.subject] != nil || v.there(one) == nil {
		return
	}
	for _, f := range c.facts {
		if f.about != c.subject || f.one != one || f.count > 1 {
			return
		}
	}
	c.subject = one
	for _, f := range c.facts {
		f.about = one
	}
}

// workloadOf is the workload that runs as a client, where one is named like its service account.
func (v *view) workloadOf(k key) key {
	for _, kind := range workloads {
		if w := (key{kind, k.namespace, k.name}); k.kind == client && v.objects[w] != nil {
			return w
		}
	}
	return k
}

// rank sums the points and chooses the subject: what the best fact's message names as the reason, where the facts that
// point to it outweigh it, else what the best fact is about.
func (c *chain) rank() {
	slices.SortStableFunc(c.facts, func(a, b *fact) int { return cmp.Compare(b.points(), a.points()) })
	seen := map[*kind]bool{}
	c.facts = slices.DeleteFunc(c.facts, func(f *fact) bool {
		if n := len(seen); !seen[f.kind] && n < len(weights) {
			c.points += weights[n] * f.points()
		}
		again := seen[f.kind]
		seen[f.kind] = true
		return again
	})
	f := c.facts[0]
	if c.subject = f.about; f.named {
		c.subject = f.via[0]
	}
}

// suspect writes a chain down.
func (v *view) suspect(c *chain) suspect.Suspect {
	const (
		shown      = 3   // facts
		maxMessage = 220 // characters of a message, whose middle is left out: the reason of an error is at its end
		maxText    = 240 // of evidence
	)
	s := suspect.Suspect{Title: title(c), Category: c.facts[0].kind.of}
	s.Points = (c.points-least)/perPoint + suspect.Shown
	command := ""
	s.Object, s.Client, command = v.object(c.subject)
	for _, f := range c.facts[:min(len(c.facts), shown)] {
		text := f.text() + f.more
		if f.about != c.subject {
			text = f.about.String() + ": " + text
		}
		if f.message != "" {
			text += ": " + phrase.Shorten(strings.Join(strings.Fields(f.message), " "), maxMessage)
		}
		s.For = append(s.For, text)
		e := f.at
		e.Text, e.Count = phrase.Cut(text, maxText), f.count
		s.Evidence = append(s.Evidence, e)
		if f.stopped() {
			over := "It stopped " + phrase.Spell(f.end.Sub(f.last)) + " before the end of the input"
			s.Against = addFew(s.Against, over)
		}
	}
	if v.few {
		s.Against = append(s.Against, "A healthy cluster may show the same: this is listed because nothing else "+
			"stands out")
	}
	s.Next = rules.Commands(command)
	s.Usual = s.Points < suspect.Shown
	return s
}

// title is who, and the best fact about it in short: a client does something, an object shows it.
func title(c *chain) string {
	const longName = 60
	f, k := c.facts[0], c.subject
	text := ": " + f.text()
	if k.name = phrase.Shorten(k.name, longName); f.about != c.subject {
		text = ": " + f.about.String() + text
	} else if k.kind == client && f.kind != failures {
		text = text[1:]
	}
	return phrase.Fit(k.String()+text, phrase.MaxTitle)
}

// object is the object to look at, the client as an audit log names it, and the command that shows more of either.
func (v *view) object(k key) (o *rules.Object, user, command string) {
	switch m := v.objects[k]; {
	case k.kind == client && k.namespace == "":
		return &rules.Object{API: "rbac.authorization.k8s.io/v1", Kind: "User", Name: k.name}, k.name,
			"kubectl auth can-i --list --as " + rules.Quote(k.name)
	case k.kind == client:
		return &rules.Object{API: "v1", Kind: "ServiceAccount", Namespace: k.namespace, Name: k.name},
			"system:serviceaccount:" + k.namespace + ":" + k.name,
			rules.Kubectl(k.namespace, "get pods -o wide --field-selector spec.serviceAccountName="+rules.Quote(k.name))
	case m != nil:
		o = &rules.Object{API: m.API, Kind: k.kind, Namespace: k.namespace, Name: k.name}
	default:
		o = &rules.Object{API: v.apis[k], Kind: k.kind, Namespace: k.namespace, Name: k.name}
	}
	return o, "", o.Kubectl("describe", "")
}
