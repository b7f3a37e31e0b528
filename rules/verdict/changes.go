package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// changeSpan is how long before an onset a change is worth a word. A rollout fails within its progress deadline of
	// 10 minutes (apps/v1, progressDeadlineSeconds), and the kubelet hands a changed ConfigMap to a pod within 2 (its
	// sync period and its cache's time to live, 1 minute each).
	changeSpan = 10 * time.Minute
	// maxChanges is how many changes are named, the last ones before the onset.
	maxChanges = 3
	// routineWrites is how many writes of one object in an audit log are routine: elections over ConfigMaps,
	// heartbeats, controllers that renew what they own.
	routineWrites = 5
)

// A change is something that was changed before a program failed.
type change struct {
	at   time.Time
	what string // "ConfigMap shop/web was written by kubectl-edit"
	e    rules.Evidence
}

// ChangesBefore adds to findings about programs that ended what changed last before their onset, of what is theirs:
// their rollouts, ConfigMaps and Secrets of their namespace, their nodes. It is evidence and accuses nothing.
func ChangesBefore(found []rules.Finding, pass *rules.Pass) {
	c, t := clusterIn(pass), trailIn(pass)
	for i := range found {
		f := &found[i]
		onset, err := time.Parse(time.RFC3339Nano, f.FirstSeen)
		if err != nil || f.Category != rules.Crash || !f.Alarm() || !firstOfAll(f, onset, c) {
			continue
		}
		own := scopeOf(f, c)
		var texts []string
		for _, ch := range lastBefore(onset, append(objectChanges(own, c), auditChanges(own, t)...)) {
			ch.e.Text = fmt.Sprintf("changed %s before: %s", phrase.Spell(onset.Sub(ch.at).Round(time.Second)), ch.what)
			ch.e.Time, ch.e.Count = ch.at.UTC().Format(time.RFC3339Nano), 1
			f.Evidence = append(f.Evidence, ch.e)
			f.Sources = union(f.Sources, []string{ch.e.Input})
			texts = append(texts, ch.e.Text)
		}
		if len(texts) > 0 {
			f.Notes = append(f.Notes, strings.Join(texts, "; ")+". A change shortly before is not proof of a cause.")
		}
	}
}

// firstOfAll reports whether the end that was seen first can be the onset: what crashes for longer than changeSpan
// began with an end that nobody kept.
func firstOfAll(f *rules.Finding, onset time.Time, c *kube.Cluster) bool {
	return !slices.ContainsFunc(f.Pods, func(p rules.PodCount) bool {
		pod := c.Pod(p.Namespace, p.Pod)
		again := func(ct kube.Container) bool { return ct.Name == p.Container && ct.Restarts > 1 }
		return pod != nil && onset.Sub(pod.Created) > changeSpan && slices.ContainsFunc(pod.Containers, again)
	})
}

// lastBefore are the last changes within changeSpan before an onset, the nearest first; one that two inputs show counts
// once.
func lastBefore(onset time.Time, all []change) []change {
	all = slices.DeleteFunc(all, func(c change) bool {
		return c.at.IsZero() || c.at.After(onset) || onset.Sub(c.at) > changeSpan
	})
	slices.SortStableFunc(all, func(a, b change) int {
		return cmp.Or(b.at.Truncate(time.Second).Compare(a.at.Truncate(time.Second)),
			cmp.Compare(len(b.what), len(a.what)))
	})
	all = slices.CompactFunc(all, func(a, b change) bool { // the longer one also says who
		return a.at.Truncate(time.Second).Equal(b.at.Truncate(time.Second)) && strings.HasPrefix(a.what, b.what)
	})
	return all[:min(len(all), maxChanges)]
}

// A scope is what a finding's programs have to do with.
type scope struct {
	namespaces, nodes map[string]bool
	workloads         map[rules.Object]bool // without their API
}

// scopeOf is the scope of the pods that a finding names.
func scopeOf(f *rules.Finding, c *kube.Cluster) scope {
	s := scope{map[string]bool{}, map[string]bool{}, map[rules.Object]bool{}}
	for _, p := range f.Pods {
		if p.Pod == "" || p.Namespace == "" {
			continue
		}
		s.namespaces[p.Namespace], s.nodes[p.Node] = true, true
		if pod := c.Pod(p.Namespace, p.Pod); pod != nil {
			top := c.Top(&pod.Meta)
			s.workloads[rules.Object{Kind: top.Kind, Namespace: p.Namespace, Name: top.Name}] = true
			s.nodes[pod.Node] = true
		}
	}
	delete(s.nodes, "")
	return s
}

// objectChanges are the changes that the objects themselves show.
func objectChanges(s scope, c *kube.Cluster) []change {
	var all []change
	add := func(from kube.At, at time.Time, format string, args ...any) {
		e := rules.Evidence{Input: from.Input, Line: from.Line}
		all = append(all, change{at, fmt.Sprintf(format, args...), e})
	}
	c.Each(func(m *kube.Meta) {
		switch {
		case m.Kind == "ReplicaSet" || m.Kind == "ControllerRevision":
			if s.workloads[rules.Object{Kind: m.Owner.Kind, Namespace: m.Namespace, Name: m.Owner.Name}] {
				add(m.At, m.Created, "%s %s/%s was created, a rollout of %s %s", m.Kind, m.Namespace, m.Name,
					m.Owner.Kind, m.Owner.Name)
			}
		case (m.Kind == "ConfigMap" || m.Kind == "Secret") && s.namespaces[m.Namespace] && !routineName(m.Name):
			at, who := m.Created, ""
			if m.WrittenBy != nil && m.WrittenBy.Time.After(at) {
				at, who = m.WrittenBy.Time, " by "+phrase.Cut(m.WrittenBy.Manager, maxWriterName)
			}
			add(m.At, at, "%s %s/%s was written%s", m.Kind, m.Namespace, m.Name, who)
		case m.Kind == "Node" && s.nodes[m.Name]:
			for _, cond := range m.Conditions {
				add(m.At, cond.Since, "Node %s: %s has been %s since then", m.Name, cond.Type, cond.Status)
			}
		}
	})
	for _, e := range c.Events {
		if e.Object.Kind == "Node" && s.nodes[e.Object.Name] {
			add(e.At, e.First, "Node %s: %s", e.Object.Name, e.Reason)
		}
	}
	return all
}

// maxWriterName bounds the name of a field manager, which anybody may choose.
const maxWriterName = 60

// routineName reports ConfigMaps that are written without anybody changing anything: locks of elections, and the copy
// of the cluster's certificate in each namespace.
func routineName(name string) bool {
	return name == "kube-root-ca.crt" || strings.HasSuffix(name, "-lock") || strings.HasSuffix(name, "-leader") ||
		strings.Contains(name, "leader-election") || strings.Contains(name, "leaderelection")
}

// auditChanges are the changes that the audit log shows, with who made them.
func auditChanges(s scope, t *audit.Trail) []change {
	var all []change
	for i := range t.Objects {
		o := &t.Objects[i]
		kind, mine := s.kindOf(o)
		if !mine || o.Writes > routineWrites || routineName(o.Name) {
			continue
		}
		for _, k := range t.ByObject[i] {
			w := &t.Writes[k]
			if !w.OK() || t.Texts[w.Sub] != "" {
				continue // its status, its scale: not what it asks for
			}
			at := t.Place(w)
			name := strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")
			what := fmt.Sprintf("%s %s was written by %s (%s)", kind, name, t.Actors[w.Actor].Name(), w.Verb)
			all = append(all, change{audit.Time(w.Time), what, rules.Evidence{Input: at.Path, Line: at.Line}})
		}
	}
	return all
}

// kindOf is the kind of an audit log's object that belongs to the scope.
func (s scope) kindOf(o *audit.Object) (kind string, mine bool) {
	known, _ := kube.KindOf(o.Resource)
	switch known.Kind {
	case "ConfigMap", "Secret":
		return known.Kind, s.namespaces[o.Namespace]
	case "Deployment", "StatefulSet", "DaemonSet":
		return known.Kind, s.workloads[rules.Object{Kind: known.Kind, Namespace: o.Namespace, Name: o.Name}]
	case "Node":
		return "Node", s.nodes[o.Name]
	}
	return "", false
}
