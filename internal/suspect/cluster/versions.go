package cluster

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on the versions of one object. Chosen: a pod has some ten in its life.
const (
	fewVersions = 15
	fewLives    = 3
)

// versions files objects that were written often, and names that several objects had one after the other.
func (v *view) versions() {
	v.c.Each(func(m *kube.Meta) {
		k := keyOf(m.Ref)
		if h := m.History; h != nil && h.Versions >= fewVersions && m.Kind != "Lease" {
			v.rewrittenFact(m, h)
		}
		if n := v.lives[lifeOf(m)]; n >= fewLives && v.objects[k] == m && m.Kind != "Node" {
			v.file(fact{about: v.root(k), kind: madeAgain, points: 20 + grows(float64(n), 5, 24), count: n,
				of: rules.HotLoop, at: at(m.At, m.Created),
				text: phrase.Number(n) + " objects of this name were made one after the other"})
		}
	})
}

// ownFields are those that someone sets, not a controller of Kubernetes.
var ownFields = []string{"spec", "metadata.annotations", "metadata.labels"}

func (v *view) rewrittenFact(m *kube.Meta, h *kube.History) {
	steps := h.Versions - 1
	var moves, flips []string
	own := false
	for i := range h.Fields {
		f := &h.Fields[i]
		if f.Path == "status.observedGeneration" || 10*f.Changes < 3*steps || len(moves) == maxFields {
			continue
		}
		moves = append(moves, f.Path)
		own = own || slices.ContainsFunc(ownFields, func(p string) bool { return strings.HasPrefix(f.Path, p) })
		if f.Flips >= 8 && 2*f.Flips >= f.Changes {
			flips = append(flips, f.Path)
		}
	}
	if m.Kind == "Node" && !own {
		return // its kubelet reports
	}
	timed := steps > 0 && 10*h.Moves >= 9*steps
	f := fact{about: v.root(keyOf(m.Ref)), kind: rewritten, count: h.Versions, of: rules.HotLoop, at: at(h.First, h.From),
		points: 12 + grows(float64(h.Versions)/8, 5, 26) + plus(len(flips) > 0, 10) + plus(timed, 10) -
			plus(slices.Contains(reportedOn, m.Kind) && !own, 10),
		text: phrase.Number(h.Versions) + " versions" + in(h.Versions, h.To.Sub(h.From))}
	if k := keyOf(m.Ref); k != f.about {
		f.text += " of " + k.String()
	}
	switch {
	case len(flips) > 0:
		f.text += ", " + flips[0] + " goes back and forth"
	case timed:
		f.text += ", only times differ"
	case len(moves) > 0:
		f.more = ", " + phrase.List(moves) + " in most of them"
	}
	if len(h.Writers) > 0 {
		f.more += ", written by " + h.Writers[0]
	}
	v.file(f)
}

// maxFields is how many fields of an object a fact names.
const maxFields = 2
