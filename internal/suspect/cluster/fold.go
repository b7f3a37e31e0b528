package cluster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
)

// bind is how many points a fact needs for what it refers to to be the same suspect; maxVia how many of these count.
const (
	bind   = 14
	maxVia = 3
)

// weights are by how much the best facts of a suspect count, each of another kind.
var weights = []float64{1, 0.3, 0.15, 0.08}

// least is how many points of facts a suspect that is shown has, perPoint how many make a point of a suspect.
const (
	least    = 24
	perPoint = 4
)

// A chain is the facts about objects and clients that belong together, best first.
type chain struct {
	subject key
	facts   []*fact // the best of each kind
	all     []*fact
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
		if s := v.suspect(c); s.Points >= suspect.Shown || i == 0 && s.Points > 0 {
			all = append(all, s)
		}
	}
	return all
}

// A union is sets of keys that belong together.
type union map[key]key

func (u union) find(k key) key {
	for {
		up, ok := u[k]
		if !ok || up == k {
			return k
		}
		if over, ok := u[up]; ok {
			u[k] = over
		}
		k = up
	}
}

func (u union) join(a, b key) {
	if a, b = u.find(a), u.find(b); a != b {
		u[b] = a
	}
}

// chains folds the facts.
func (v *view) chains() []*chain {
	u := union{}
	for _, f := range v.facts {
		f.about = v.workloadOf(f.about)
		for i, k := range f.via {
			f.via[i] = v.workloadOf(k)
		}
	}
	for _, f := range v.facts {
		if f.points >= bind {
			for _, k := range f.via[:min(len(f.via), maxVia)] {
				u.join(k, f.about)
			}
		}
	}
	sets := newGroups[key, chain]()
	for _, f := range v.facts {
		c := sets.of(u.find(f.about))
		c.all = append(c.all, f)
	}
	var all []*chain
	sets.each(func(_ key, c *chain) {
		v.rank(c)
		all = append(all, c)
	})
	return all
}

// workloadOf is the workload that runs as a client, where one is named like its service account.
func (v *view) workloadOf(k key) key {
	if !k.isClient() || k.namespace == "" {
		return k
	}
	for _, kind := range []string{"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"} {
		if w := (key{kind, k.namespace, k.name}); v.objects[w] != nil {
			return w
		}
	}
	return k
}

// rank sums the points and chooses the subject: what the best fact names as the reason, where that is there and the facts
// that point to it outweigh it, else what the best fact is about.
func (v *view) rank(c *chain) {
	slices.SortStableFunc(c.all, func(a, b *fact) int { return cmp.Compare(b.points, a.points) })
	for _, f := range c.all {
		if !slices.ContainsFunc(c.facts, func(g *fact) bool { return g.kind == f.kind }) {
			c.facts = append(c.facts, f)
		}
	}
	for i, f := range c.facts[:min(len(c.facts), len(weights))] {
		c.points += weights[i] * f.points
	}
	top := c.facts[0]
	c.subject = top.about
	pointed := map[key]float64{}
	for _, f := range c.all {
		for _, k := range f.via {
			pointed[k] += f.points
		}
	}
	if top.named && pointed[top.via[0]] >= top.points && v.mayBeThere(top.via[0]) {
		c.subject = top.via[0]
	}
}

// mayBeThere reports an object that can be looked at: one of the inputs, or one that refuses something and is of a kind
// that they lack.
func (v *view) mayBeThere(k key) bool {
	return v.there(k) != nil ||
		v.kinds[k.kind] == 0 && slices.Contains([]string{"PodDisruptionBudget", "ResourceQuota", "Service"}, k.kind)
}
