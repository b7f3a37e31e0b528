// Package cluster finds suspects in Kubernetes objects, events, audit logs and pods' logs.
//
// A fact is one thing that the inputs show of an object or a client: how often, and for how long. Detectors count it,
// and a table of kinds gives it points and a sentence. It is filed under the workload or object that its subject
// belongs to. Facts about one chain (what an object belongs to, what a message names, who writes it) are one suspect:
// the best fact of each kind counts, the first in full and the next ones less and less. No fact knows a fault, and
// none says that something is wrong.
package cluster

import (
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
)

// Suspects are those of all objects and logs, best first.
func Suspects(p *rules.Pass) []suspect.Suspect {
	v := newView(parsed.Cluster(p), parsed.Trail(p))
	if v.c != nil {
		v.conditions()
		v.states()
		v.pods()
		v.needs()
		v.selectors()
		v.events()
		v.piles()
		v.versions()
		v.terms()
	}
	if v.t != nil {
		v.writes()
		v.creations()
		v.reads()
		v.failures()
		v.leases()
	}
	v.logs(p.Logs)
	return suspect.Best(v.suspects())
}
