package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// What the names of types say: those with a bad word are False where all is well, good ones True. Reasons in meant are
// of what someone asked for.
var (
	bad = []string{"Blocked", "Conflict", "Corrupt", "Dangling", "Deadlock", "Degraded", "Error", "Expired", "Fail",
		"Insufficient", "Invalid", "Missing", "NotReady", "Offline", "Pressure", "Remaining", "Restart", "Stalled",
		"Timeout", "Unavailable", "Unhealthy", "Unreachable", "Violation"}
	goodEnds  = []string{"Ready", "Available", "Succeeded", "Healthy"}
	goodTypes = []string{"AbleToScale", "Accepted", "Approved", "Attached", "Bound", "Complete", "Connected",
		"Deployed", "Established", "Initialized", "Issued", "NamesAccepted", "Online", "PodScheduled", "Programmed",
		"Progressing", "Reconciled", "Released", "ResolvedRefs", "Running", "ScalingActive", "Schedulable", "Synced",
		"Valid"}
	meant = []string{"CronJobSuspended", "DeploymentPaused", "NotTold", "PodCompleted", "ScaledToZero",
		"ScalingDisabled"}
)

// good is the status of a type of conditions where all is well, "" where its name does not say it.
func good(typ string) string {
	switch {
	case phrase.ContainsOne(typ, bad...):
		return "False"
	case slices.Contains(goodTypes, typ),
		slices.ContainsFunc(goodEnds, func(end string) bool { return strings.HasSuffix(typ, end) }):
		return "True"
	}
	return ""
}

// conditions see those whose status says that something is not as it should be.
func (v *view) conditions() {
	v.c.Each(func(m *kube.Meta) {
		if m.Gone || v.done(m) {
			return
		}
		for _, c := range m.Conditions {
			if !abnormal(m, &c) {
				continue
			}
			f := v.see(condition, v.root(keyOf(m.Ref)), c.Type+"="+c.Status,
				phrase.OnlyIf(c.Reason != "", ", "+c.Reason), form(c.Message)).object(m, c.Since, c.Message)
			if clusterWide(m.Kind) {
				f.extra = 8
			}
			v.explain(f, m.Namespace)
		}
	})
}

// done reports a pod that has ended, or that only holds room for others.
func (v *view) done(m *kube.Meta) bool {
	p := v.c.Pod(m.Namespace, m.Name)
	return m.Kind == "Pod" && p != nil && (p.Phase == "Succeeded" || p.Phase == "Failed" || p.Priority < 0)
}

// abnormal reports a condition whose status is the bad one, by the name of its type.
func abnormal(m *kube.Meta, c *kube.Condition) bool {
	switch {
	case slices.Contains(meant, c.Reason), c.Type == "Progressing" && m.Kind != "Deployment",
		m.Kind == "Job" && c.Type == "Complete", !m.Deleted.IsZero() && good(c.Type) == "True":
		return false
	}
	return good(c.Type) != "" && c.Status != good(c.Type)
}

// form is the beginning of a message without quotations and words with a digit: what messages about several objects
// have in common.
func form(message string) string {
	const most = 160
	var b strings.Builder
	for word := range strings.FieldsSeq(message) {
		if strings.ContainsAny(word, "0123456789\"'`") {
			word = "#"
		}
		if b.WriteString(word + " "); b.Len() > most {
			break
		}
	}
	return b.String()
}

// states see objects that were to be gone already. What waits in a namespace keeps it.
func (v *view) states() {
	v.c.Each(func(m *kube.Meta) {
		if m.Deleted.IsZero() || m.Gone || v.end(m.Input).Sub(m.Deleted) < time.Minute {
			return
		}
		keep := slices.Clone(m.Finalizers)
		if n := v.c.Namespace(m.Name); m.Kind == "Namespace" && n != nil {
			keep = append(keep, n.SpecFinalizers...)
		}
		f := v.see(deleted, v.root(keyOf(m.Ref)), phrase.OnlyIf(len(keep) > 0, ", finalizer "+phrase.Some(keep, 2)))
		f.object(m, m.Deleted, "")
		if len(keep) > 0 && m.Namespace != "" {
			f.via = addFew(f.via, key{"Namespace", "", m.Namespace})
		}
	})
}

// pods see those that failed, by workload and reason.
func (v *view) pods() {
	for _, p := range v.c.Pods {
		if p.Phase == "Failed" && !p.Gone {
			v.see(failed, v.root(keyOf(p.Ref)), failureOf(p)).
				add(1, p.Created, p.Created, p.Message, at(p.At, p.Created))
		}
	}
}

// failureOf is why a pod failed.
func failureOf(p *kube.Pod) string {
	for _, c := range p.Containers {
		if t := c.Now; t != nil && t.Exit != 0 && p.Reason == "" {
			return fmt.Sprintf("%s (exit code %d)", cmp.Or(t.Reason, "Error"), t.Exit)
		}
	}
	return cmp.Or(p.Reason, "Failed")
}

// A room is where objects of one kind are: a namespace, "" for those without. group is "" for those of any group.
type room struct{ kind, group, namespace string }

// rooms are those of which the inputs have objects, without the kinds of which some were not kept. Kinds of which some
// objects are in a namespace have no room without one: files leave it out.
func (v *view) rooms() map[room]bool {
	all, inside, cut := map[room]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range v.c.Cut {
		cut[c.Kind] = true
	}
	v.c.Each(func(m *kube.Meta) {
		if !cut[m.Kind] {
			group, _, _ := strings.Cut(m.API, "/")
			all[room{m.Kind, group, m.Namespace}], all[room{m.Kind, "", m.Namespace}] = true, true
			inside[m.Kind] = inside[m.Kind] || m.Namespace != ""
		}
	})
	maps.DeleteFunc(all, func(r room, _ bool) bool { return r.namespace == "" && inside[r.kind] })
	return all
}

// needs see what refers to an object that the inputs lack, where they have others of that kind beside it, and what
// leads back to itself.
func (v *view) needs() {
	rooms := v.rooms()
	see := func(k *kind, m *kube.Meta, n kube.Need, to key) {
		f := v.see(k, keyOf(m.Ref), n.How, to.String()).add(1, m.Written, m.Written, "", at(m.At, m.Written))
		f.via = addFew(f.via, to)
	}
	v.c.Each(func(m *kube.Meta) {
		for _, n := range m.Needs {
			k, wide := key{n.Kind, n.Namespace, n.Name}, key{n.Kind, "", n.Name}
			if rooms[room{n.Kind, n.Group, ""}] {
				k = wide
			}
			if m.Gone || v.there(k) != nil || v.there(wide) != nil || !rooms[room{k.kind, n.Group, k.namespace}] {
				continue
			}
			if strings.HasSuffix(n.How, kube.Names) {
				see(refers, m, n, k)
			} else {
				see(missing, m, n, k)
			}
		}
	})
	for _, how := range []string{kube.IsAlias, kube.DependsOn} {
		for _, r := range v.circles(how) {
			see(circle, r.by, r.need, r.to)
		}
	}
}

// A reference is what one object needs of another.
type reference struct {
	by       *kube.Meta
	need     kube.Need
	from, to key
}

// circles are the references from one object of a circle to the next. What no reference leads to, or none leads on
// from, is in no circle: such references are left out until all that are left have both.
func (v *view) circles(how string) (all []reference) {
	// The references in circles, and those on a way into or out of one: with longer ways, none is reported. Both are
	// chosen, to bound the work on hostile objects.
	const most, deepest = 100, 30
	v.c.Each(func(m *kube.Meta) {
		for _, n := range m.Needs {
			if k := keyOf(m.Ref); n.How == how && v.there(k) == m {
				all = append(all, reference{m, n, k, key{n.Kind, n.Namespace, n.Name}})
			}
		}
	})
	for range deepest {
		from, to, before := map[key]bool{}, map[key]bool{}, len(all)
		for _, r := range all {
			from[r.from], to[r.to] = true, true
		}
		all = slices.DeleteFunc(all, func(r reference) bool { return !to[r.from] || !from[r.to] })
		if len(all) == before {
			return all[:min(len(all), most)]
		}
	}
	return nil
}

// selectors see Services that select none of the pods of their namespace, and those that send to a port that none of
// their pods declares.
func (v *view) selectors() {
	pods := map[string][]*kube.Pod{}
	for _, p := range v.c.Pods {
		if !p.Gone && len(p.Labels) > 0 { // tables of kubectl don't show labels
			pods[p.Namespace] = append(pods[p.Namespace], p)
		}
	}
	for _, s := range v.c.Services {
		all := pods[s.Namespace]
		if s.Gone || len(s.Selector) == 0 || s.Type == "ExternalName" || len(all) == 0 {
			continue
		}
		selects := func(p *kube.Pod) bool { return kube.Selects(s.Selector, p.Labels) }
		if !slices.ContainsFunc(all, selects) {
			asked := ""
			for i, p := range s.Selector[:min(len(s.Selector), 3)] {
				asked += phrase.OnlyIf(i > 0, ",") + p.Name + "=" + p.Value
			}
			v.see(selector, keyOf(s.Ref), asked).add(1, s.Created, s.Created, "", at(s.At, s.Written))
			continue
		}
		declared := portsOf(all, selects)
		for _, target := range s.Targets {
			if len(declared) == 0 || slices.Contains(declared, target) {
				continue
			}
			k := noSuchPort
			if target[0] >= '0' && target[0] <= '9' {
				k = undeclared
			}
			v.see(k, keyOf(s.Ref), target, phrase.Some(declared, 3)).
				add(1, s.Created, s.Created, "", at(s.At, s.Written))
		}
	}
}

// portsOf are the names and numbers of the ports that some pods declare, nil where one that runs declares none: it may
// listen on any.
func portsOf(all []*kube.Pod, these func(*kube.Pod) bool) (ports []string) {
	const most = 100
	for _, p := range all {
		if !these(p) || p.Phase == "Succeeded" || p.Phase == "Failed" || !p.Deleted.IsZero() {
			continue
		}
		none := true
		for i := range p.Containers {
			for _, port := range p.Containers[i].Ports {
				none = false
				for _, word := range []string{port.Name, port.Value} {
					if word != "" && len(ports) < most && !slices.Contains(ports, word) {
						ports = append(ports, word)
					}
				}
			}
		}
		if none {
			return nil
		}
	}
	return ports
}

// events see warnings, by workload, reason and message.
func (v *view) events() {
	for _, e := range v.c.Events {
		if e.Type == "Normal" {
			continue
		}
		f := v.see(event, v.root(keyOf(e.Object)), e.Reason, "", form(e.Message)).
			add(e.Count, e.First, e.Last, e.Message, at(e.At, e.First))
		v.explain(f, e.Object.Namespace)
	}
}

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
		n := h.Versions
		if v.audited[k] { // the audit log counts its writes
			n = 0
		}
		f := v.see(rewritten, v.root(k)).add(n, h.From, h.To, "", at(h.First, h.From))
		f.one, f.more = k, phrase.OnlyIf(len(moves) > 0, ", changes "+phrase.Some(moves, 2))
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
