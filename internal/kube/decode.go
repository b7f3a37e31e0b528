package kube

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

func (t *tree) each(seq int32, n int, f func(e int32)) {
	if t.nodes[seq].kind != seqNode {
		return
	}
	for c := t.nodes[seq].child; c != 0 && n > 0; c, n = t.nodes[c].next, n-1 {
		f(c)
	}
}

// moment is a time in RFC 3339, zero where n is none. The support-bundle-kit writes "null" for nothing.
func (t *tree) moment(n int32) time.Time {
	when, _ := parseTime(t.text(n))
	return when
}

func (r *Reader) meta(n, meta int32, line int64) Meta {
	t := &r.tree
	m := Meta{
		Ref: Ref{
			Namespace: r.identAt(meta, "namespace"), Name: r.identAt(meta, "name"),
			UID: string(most(t.text(t.get(meta, "uid")), maxIdent)),
		},
		At: At{Input: r.path, Line: line + int64(t.nodes[n].line)},

		GenerateName:    r.identAt(meta, "generateName"),
		TemplateHash:    r.identAt(meta, "labels", "pod-template-hash"),
		Created:         t.moment(t.get(meta, "creationTimestamp")),
		Deleted:         t.moment(t.get(meta, "deletionTimestamp")),
		Grace:           t.integer(t.get(meta, "deletionGracePeriodSeconds")),
		Generation:      t.integer(t.get(meta, "generation")),
		Phase:           r.identAt(n, "status", "phase"),
		ResourceVersion: string(most(t.text(t.get(meta, "resourceVersion")), maxIdent)),
	}
	t.each(t.get(meta, "finalizers"), maxPairs, func(e int32) { m.Finalizers = append(m.Finalizers, r.identAt(e)) })
	t.each(t.get(meta, "ownerReferences"), maxPairs, func(e int32) {
		if t.isTrue(t.get(e, "controller")) {
			m.Owner = Ref{
				API: r.identAt(e, "apiVersion"), Kind: r.identAt(e, "kind"),
				Namespace: m.Namespace, Name: r.identAt(e, "name"), UID: r.identAt(e, "uid"),
			}
		}
	})
	m.Conditions = r.conditions(n)
	m.Written = m.Created
	t.each(t.get(meta, "managedFields"), maxWriters, func(e int32) {
		m.Writers = append(m.Writers, Writer{
			Manager: r.identAt(e, "manager"), Operation: r.identAt(e, "operation"),
			Subresource: r.identAt(e, "subresource"), Time: t.moment(t.get(e, "time")),
		})
	})
	for i := range m.Writers {
		if w := &m.Writers[i]; m.WrittenBy == nil || w.Time.After(m.WrittenBy.Time) {
			m.WrittenBy = w
		}
	}
	if m.WrittenBy != nil {
		m.Written = latest(m.Written, m.WrittenBy.Time)
	}
	m.Written = latest(m.Written, r.statusTime(n))
	return m
}

// statusTime is the newest time in an object's status: in its conditions, and among its own fields.
func (r *Reader) statusTime(n int32) (newest time.Time) {
	t := &r.tree
	look := func(e int32) {
		for c := t.nodes[e].child; c != 0 && t.nodes[e].kind == mapNode; c = t.nodes[c].next {
			newest = latest(newest, t.moment(c))
		}
	}
	status := t.get(n, "status")
	look(status)
	t.each(t.get(status, "conditions"), maxConditions, look)
	return newest
}

// conditions reads the conditions of an object and, of a route, those that its parents report.
func (r *Reader) conditions(n int32) []Condition {
	t := &r.tree
	all := r.conditionsOf(t.get(n, "status"))
	t.each(t.at(n, "status", "parents"), maxPairs, func(e int32) {
		if len(all) < maxConditions {
			all = append(all, r.conditionsOf(e)...)
		}
	})
	return all
}

// conditionsOf reads the conditions below a status, or below a route's parent.
func (r *Reader) conditionsOf(status int32) []Condition {
	t := &r.tree
	var all []Condition
	t.each(t.get(status, "conditions"), maxConditions, func(e int32) {
		all = append(all, Condition{
			Type: r.identAt(e, "type"), Status: r.identAt(e, "status"),
			Reason: r.identAt(e, "reason"), Message: r.messageOf(e),
			Since: t.moment(t.get(e, "lastTransitionTime")),
		})
	})
	return all
}

// taints reads the keys of a node's taints, and since when it is cordoned.
func (r *Reader) taints(n int32, node *Node) *Node {
	r.tree.each(r.tree.at(n, "spec", "taints"), maxPairs, func(e int32) {
		key := r.identAt(e, "key")
		if node.Taints = append(node.Taints, key); key == "node.kubernetes.io/unschedulable" {
			node.Cordoned = r.tree.moment(r.tree.get(e, "timeAdded"))
		}
	})
	return node
}

// pairs reads a mapping of scalars, ordered by name.
func (r *Reader) pairs(n int32) []Pair {
	t := &r.tree
	if t.nodes[n].kind != mapNode {
		return nil
	}
	var all []Pair
	for c := t.nodes[n].child; c != 0 && len(all) < maxPairs; c = t.nodes[c].next {
		all = append(all, Pair{Name: r.ident(t.key(c)), Value: r.str(most(t.text(c), maxMessage))})
	}
	slices.SortFunc(all, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (r *Reader) pod(n int32, line int64, m Meta) *Pod {
	t, p := &r.tree, &Pod{Meta: m}
	spec, status := t.get(n, "spec"), t.get(n, "status")
	p.Reason = r.identAt(status, "reason")
	p.Message = r.messageOf(status)
	p.Node = r.identAt(spec, "nodeName")
	p.Priority = t.integer(t.get(spec, "priority"))
	p.RestartPolicy = r.identAt(spec, "restartPolicy")
	p.NodeSelector = r.pairs(t.get(spec, "nodeSelector"))
	p.Started = t.moment(t.get(status, "startTime"))
	t.each(t.get(spec, "volumes"), maxClaims, func(e int32) {
		if name := t.text(t.at(e, "persistentVolumeClaim", "claimName")); len(name) > 0 {
			p.Claims = append(p.Claims, r.ident(name))
		}
	})
	for _, init := range []bool{true, false} {
		key, states := "containers", "containerStatuses"
		if init {
			key, states = "initContainers", "initContainerStatuses"
		}
		t.each(t.get(spec, key), maxContainers, func(e int32) {
			p.Containers = append(p.Containers, Container{
				Name: r.identAt(e, "name"), Init: init, Image: r.identAt(e, "image"),
				Line:     line + int64(t.nodes[e].line),
				Requests: r.pairs(t.at(e, "resources", "requests")), Limits: r.pairs(t.at(e, "resources", "limits")),
				Ports: r.ports(t.get(e, "ports")),
			})
		})
		t.each(t.get(status, states), maxContainers, func(e int32) {
			name := t.text(t.get(e, "name"))
			i := slices.IndexFunc(p.Containers, func(c Container) bool {
				return c.Name == string(name) && c.Init == init
			})
			if i < 0 {
				i = len(p.Containers)
				p.Containers = append(p.Containers, Container{Name: r.ident(name), Init: init})
			}
			r.state(e, line, &p.Containers[i])
		})
	}
	return p
}

func (r *Reader) ports(n int32) (all []Pair) {
	r.tree.each(n, maxPairs, func(e int32) {
		all = append(all, Pair{r.identAt(e, "name"), r.identAt(e, "containerPort")})
	})
	return all
}

func (r *Reader) state(n int32, line int64, c *Container) {
	t := &r.tree
	c.Line = line + int64(t.nodes[n].line)
	_, c.ID, _ = strings.Cut(r.identAt(n, "containerID"), "://")
	c.Restarts = int(t.integer(t.get(n, "restartCount")))
	if w := t.at(n, "state", "waiting"); w != 0 {
		c.Waiting = r.identAt(w, "reason")
		c.WaitingMessage = r.messageOf(w)
	}
	c.Now = r.termination(t.at(n, "state", "terminated"), line)
	c.Last = r.termination(t.at(n, "lastState", "terminated"), line)
}

func (r *Reader) termination(n int32, line int64) *Termination {
	t := &r.tree
	if t.nodes[n].kind != mapNode {
		return nil
	}
	message := t.get(n, "message")
	at := cmp.Or(message, n)
	text := t.text(message)
	text = text[max(0, len(text)-maxTermination):]
	return &Termination{
		Reason: r.identAt(n, "reason"), Exit: int(t.integer(t.get(n, "exitCode"))),
		Signal:  int(t.integer(t.get(n, "signal"))),
		Started: t.moment(t.get(n, "startedAt")), Finished: t.moment(t.get(n, "finishedAt")),
		Message: r.word(text), Line: line + int64(t.nodes[at].line),
	}
}

func (r *Reader) namespace(n int32, m Meta) *Namespace {
	t, s := &r.tree, &Namespace{Meta: m}
	t.each(t.at(n, "spec", "finalizers"), maxPairs, func(e int32) {
		s.SpecFinalizers = append(s.SpecFinalizers, r.identAt(e))
	})
	return s
}
