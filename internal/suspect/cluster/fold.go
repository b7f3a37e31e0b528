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
		c.rank()
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

// rank sums the points and chooses the subject: what is missing, else what the best fact names as the reason, where the
// facts that point to it outweigh it, else what the best fact is about.
func (c *chain) rank() {
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
		if f.kind == missing {
			continue
		}
		for _, k := range f.via {
			pointed[k] += f.points
		}
	}
	if i := slices.IndexFunc(c.facts, func(f *fact) bool { return f.kind == missing }); i >= 0 {
		c.subject = c.facts[i].about
	} else if top.named && !top.via[0].isClient() && pointed[top.via[0]] >= top.points {
		c.subject = top.via[0]
	}
}
