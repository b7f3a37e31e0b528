package cluster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
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
	all     []*fact // best first
	facts   []*fact // the best of each kind
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

// A union is sets of keys that belong together.
type union map[key]key

func (u union) find(k key) key {
	for {
		up, ok := u[k]
		if !ok {
			return k
		}
		if over, ok := u[up]; ok {
			u[k] = over
		}
		k = up
	}
}

// chains folds the facts.
func (v *view) chains() (all []*chain) {
	u := union{}
	for _, f := range v.facts {
		f.about = v.workloadOf(f.about)
		f.via = slices.Clone(f.via)
		for i, k := range f.via {
			f.via[i] = v.workloadOf(k)
			if a, b := u.find(f.via[i]), u.find(f.about); i < maxVia && f.points >= bind && a != b {
				u[b] = a
			}
		}
	}
	var sets groups[chain]
	for _, f := range v.facts {
		c := sets.of(group{about: u.find(f.about)})
		c.all = append(c.all, f)
	}
	sets.each(func(_ group, c *chain) {
		v.rank(c)
		all = append(all, c)
	})
	return all
}

// workloadOf is the workload that runs as a client, where one is named like its service account.
func (v *view) workloadOf(k key) key {
	if k.kind != client || k.namespace == "" {
		return k
	}
	for _, kind := range workloads {
		if w := (key{kind, k.namespace, k.name}); v.objects[w] != nil {
			return w
		}
	}
	return k
}

// rank sums the points and chooses the subject: what the best fact names as the reason, where that can be looked at and
// the facts that point to it outweigh it, else what the best fact is about.
func (v *view) rank(c *chain) {
	slices.SortStableFunc(c.all, func(a, b *fact) int { return cmp.Compare(b.points, a.points) })
	seen, pointed := map[string]bool{}, map[key]float64{}
	for _, f := range c.all {
		if !seen[f.kind] {
			seen[f.kind] = true
			if n := len(c.facts); n < len(weights) {
				c.points += weights[n] * f.points
			}
			c.facts = append(c.facts, f)
		}
		for _, k := range f.via {
			pointed[k] += f.points
		}
	}
	top := c.facts[0]
	if c.subject = top.about; top.named && pointed[top.via[0]] >= top.points && v.mayBeThere(top.via[0]) {
		c.subject = top.via[0]
	}
}

// refusing are kinds of objects that refuse what others ask for, and so are there where messages name them.
var refusing = []string{"PodDisruptionBudget", "ResourceQuota", "Service"}

// mayBeThere reports an object that can be looked at: one of the inputs, or one of a kind that they lack.
func (v *view) mayBeThere(k key) bool {
	return v.there(k) != nil || v.kinds[k.kind] == 0 && slices.Contains(refusing, k.kind)
}
