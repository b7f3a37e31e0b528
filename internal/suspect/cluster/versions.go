package cluster

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on the versions of one object, on objects of one name, and on the fields that are named. Chosen: a pod has
// some ten versions in its life.
const fewVersions, fewFlips, fewLives, maxFields = 15, 5, 3, 2

// versions files objects that were written often, and names that several objects had one after the other.
func (v *view) versions() {
	v.c.Each(func(m *kube.Meta) {
		k := keyOf(m.Ref)
		if h := m.History; h != nil && h.Versions > fewFlips && m.Kind != "Lease" {
			v.rewrittenFact(m, h)
		}
		if n := v.lives[k]; n >= fewLives && v.objects[k] == m && m.Kind != "Node" {
			v.file(fact{about: v.root(k), kind: "made again", points: 20 + grows(float64(n), 5, 24), count: n,
				of: rules.HotLoop, at: at(m.At, m.Created),
				text: phrase.Number(n) + " objects of this name were made one after the other"})
		}
	})
}

// ownFields are those that someone sets, not a controller of Kubernetes.
var ownFields = []string{"spec", "metadata.annotations", "metadata.labels"}

func (v *view) rewrittenFact(m *kube.Meta, h *kube.History) {
	steps, own, flip := h.Versions-1, false, ""
	var moves []string
	for i := range h.Fields {
		f := &h.Fields[i]
		if f.Path == "status.observedGeneration" || 10*f.Changes < 3*steps || len(moves) == maxFields {
			continue
		}
		moves = append(moves, f.Path)
		own = own || slices.ContainsFunc(ownFields, func(p string) bool { return strings.HasPrefix(f.Path, p) })
		if flip == "" && f.Flips >= fewFlips && 2*f.Flips >= f.Changes {
			flip = f.Path
		}
	}
	if m.Kind == "Node" && !own || h.Versions < fewVersions && flip == "" { // a node's kubelet reports
		return
	}
	timed := 10*h.Moves >= 9*steps
	f := fact{about: v.root(keyOf(m.Ref)), kind: "rewritten", count: h.Versions, of: rules.HotLoop,
		at: at(h.First, h.From),
		points: 12 + grows(float64(h.Versions)/8, 5, 26) + plus(flip != "", 14) + plus(timed, 10) -
			plus(slices.Contains(reportedOn, m.Kind) && !own, 10),
		text: phrase.Number(h.Versions) + " versions"}
	if k := keyOf(m.Ref); k != f.about {
		f.text += " of " + k.String()
	}
	f.text += in(h.Versions, h.To.Sub(h.From))
	switch {
	case flip != "":
		f.text += ", " + flip + " goes back and forth"
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
