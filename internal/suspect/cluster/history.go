package cluster

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// noPile are kinds that are many by design, or that others stand for.
var noPile = []string{"APIService", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "EndpointSlice",
	"Endpoints", "Lease", "Node", "Role", "RoleBinding", "ServiceAccount"}

// piles see what there is more of than its owner means, or than anyone chose names for, and what comes and goes.
func (v *view) piles() {
	v.c.Each(func(m *kube.Meta) {
		about, named := v.root(keyOf(m.Owner)), " of its own"
		if m.Owner.Kind == "" || m.Owner.Kind == "Node" {
			stem, ok := family(m.Name)
			if !ok {
				return
			}
			about, named = key{m.Kind, m.Namespace, stem}, " named "+stem+" without an owner"
		}
		if slices.Contains(noPile, m.Kind) || about.kind == "DaemonSet" {
			return
		}
		k := pile
		if about.kind == "CronJob" {
			k = tooManyJobs
		}
		there, all := v.see(k, about, m.Kind, named), v.see(comeAndGo, about, m.Kind, named)
		all.object(m, m.Created, "")
		if m.Gone || !m.Deleted.IsZero() {
			return
		}
		there.object(m, m.Created, "")
		all.meant++
		if w := v.c.Workload(about.kind, about.namespace, about.name); w != nil {
			there.meant = int(2*max(w.Replicas, 1) + cmp.Or(w.Kept, 10))
		}
		if len(m.Writers) > 0 && about.name != m.Owner.Name {
			there.via = addFew(there.via, key{client, m.Namespace, m.Writers[0].Manager})
		}
	})
	for _, f := range v.order {
		if k := f.kind; k == pile || k == comeAndGo || k == tooManyJobs {
			if strings.HasPrefix(f.b, " named") {
				f.about = f.one
			}
			f.one = key{}
		}
	}
}

// reportedOn are kinds whose status the control plane writes as the cluster changes.
var reportedOn = append([]string{"Pod", "Node", "Namespace", "PersistentVolumeClaim", "EndpointSlice", "Endpoints",
	"ResourceQuota", "PodDisruptionBudget", "HorizontalPodAutoscaler", "Lease"}, workloads...)

// fewReports is how often the control plane writes the status of an object in a while. Chosen.
const fewReports = 60

// versions see objects that were written often, and names that several objects had one after the other.
func (v *view) versions() {
	v.c.Each(func(m *kube.Meta) {
		k := keyOf(m.Ref)
		if n := v.lives[k]; n > 1 && v.objects[k] == m && m.Kind != "Node" {
			v.see(madeAgain, v.root(k)).add(n, time.Time{}, time.Time{}, "", at(m.At, m.Created))
		}
		h := m.History
		if h == nil || m.Kind == "Lease" {
			return
		}
		own := !slices.Contains(reportedOn, m.Kind)
		var moves []string
		for _, f := range h.Fields {
			if 10*f.Changes >= 3*(h.Versions-1) {
				moves = append(moves, f.Path)
				own = own || !strings.HasPrefix(f.Path, "status")
			}
		}
		f := v.see(rewritten, v.root(k)).add(h.Versions, h.From, h.To, "", at(h.First, h.From))
		f.one, f.more = k, onlyIf(len(moves) > 0, ", changes "+phrase.Some(moves, 2))
		if !own {
			f.meant += fewReports
		}
	})
}

// terms see Leases whose holder changes often, as their versions or their count of transitions show.
func (v *view) terms() {
	for _, l := range v.c.Leases {
		n, first, hours := l.Transitions, l.Created, l.Renewed.Sub(l.Created).Hours()
		if last := len(l.Terms) - 1; last > 0 {
			n, first = max(int64(last), l.Terms[last].Transitions-l.Terms[0].Transitions), l.Since
		} else if float64(n) < 6*hours || hours <= 0 || l.Gone {
			continue
		}
		v.see(holders, keyOf(l.Ref)).add(int(n), first, l.Renewed, "", at(l.At, l.Renewed))
	}
}
