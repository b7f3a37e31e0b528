package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// What is shown of audit logs without TextOptions.All.
const (
	writerRows = 3
	talkerRows = 3
	limitRows  = 3
	fieldNames = 2
)

// trail sums up the audit logs: how much of what they hold, who writes which object most, and what they can't show.
func (v *view) trail() {
	a := v.r.Audit
	if a == nil {
		return
	}
	v.section("AUDIT", auditText(a))
	v.writers(a.Writers)
	if len(a.Talkers) > 0 {
		talkers := slices.Clone(a.Talkers)
		for i := range talkers {
			talkers[i].Name = client(talkers[i].Name)
		}
		v.labelled(span{text: "  most requests", style: v.colour.Dim}, v.tallies(talkers, talkerRows), proseLines)
	}
	for i, l := range a.Limits {
		if i == limitRows && !v.all {
			v.line(plain("  +" + phrase.Count(len(a.Limits)-i, "more thing") + " that can't be told; --all lists them"))
			break
		}
		v.labelled(span{text: "  can't be told", style: v.colour.Dim}, l, proseLines)
	}
}

// auditText is "41,000 events, 1,204 of them writes, of 3 API servers, 2026-03-04 04:12 to 05:13; 38,000 at level
// Metadata, 3,000 at level Request".
func auditText(a *schema.Audit) string {
	s := joined(", ", phrase.Count(a.Events, "event"),
		given(a.Writes > 0, phrase.Number(a.Writes)+" of them writes"),
		given(a.Servers > 0, "of "+phrase.Count(a.Servers, "API server")), between(a.First, a.Last))
	if len(a.Levels) == 1 {
		return s + "; all at level " + a.Levels[0].Name
	}
	var levels []string
	for _, l := range a.Levels {
		levels = append(levels, given(l.Count > 0, phrase.Number(l.Count)+" at level "+l.Name))
	}
	return s + behind("; ", joined(", ", levels...))
}

// writers writes which actor writes what how often, most first.
func (v *view) writers(ws []schema.Writer) {
	shown := ws[:v.fitting(len(ws), writerRows)]
	column := widest(pointers(shown), func(w *schema.Writer) string { return phrase.Number(w.Writes) })
	for w := range pointers(shown) {
		v.labelled(plain("  "+padLeft(phrase.Number(w.Writes), column)+" writes"), writing(w, v.all), proseLines)
	}
	v.more(2, len(ws)-len(shown), "writer")
}

// writing describes what is written by whom, how fast, and what comes of it: "deployments/status shop/web by
// serviceaccount shop/agent, 1.1/s, 64 changed nothing, fields status.lastUpdateTime".
func writing(w *schema.Writer, all bool) string {
	fields := ""
	switch n := len(w.Fields); {
	case n == 1:
		fields = "field " + w.Fields[0]
	case n > fieldNames+1 && !all:
		fields = "fields " + strings.Join(w.Fields[:fieldNames], ", ") + " and " + phrase.Number(n-fieldNames) + " more"
	case n > 1:
		fields = "fields " + phrase.List(w.Fields)
	}
	return joined(", ", written(w)+" by "+account(w.Actor), perTime(perSecond(w)),
		given(w.NoOps > 0, phrase.Number(w.NoOps)+" changed nothing"), countOf(w.Conflicts, "conflict"), fields)
}

// account is a user's name in a form that can be wrapped: "serviceaccount shop/agent".
func account(actor string) string {
	if name, ok := strings.CutPrefix(actor, "system:serviceaccount:"); ok {
		return "serviceaccount " + strings.Replace(name, ":", "/", 1)
	}
	return actor
}

// client is a user agent without its platform and build: "kube-controller-manager/v1.34.1 as replicaset-controller"
// of "kube-controller-manager/v1.34.1 (linux/amd64)
// kubernetes/$Format/system:serviceaccount:kube-system:replicaset-controller".
func client(agent string) string {
	name, rest, ok := strings.Cut(agent, " (")
	if !ok {
		return agent
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && strings.Contains(rest, "system:serviceaccount:") {
		name += " as " + rest[i+1:]
	}
	return name
}

// written is what a writer writes: "bundledeployments fleet-local/agent"; requests may name no object.
func written(w *schema.Writer) string {
	return joined(" ", w.Resource, joined("/", w.Namespace, w.Name))
}

// perSecond is how often a writer writes, 0 where its times are unknown.
func perSecond(w *schema.Writer) float64 {
	from, to := moment(w.First), moment(w.Last)
	if from.IsZero() || !to.After(from) || w.Writes < 2 {
		return 0
	}
	return float64(w.Writes-1) / to.Sub(from).Seconds()
}

// tallies lists the first rows of counted names: "38,000 kubelet/v1.34.1, 3,000 fleetagent, 12 more".
func (v *view) tallies(list []schema.Tally, rows int) string {
	return v.some(len(list), len(list), rows, func(i int) string {
		return phrase.Number(list[i].Count) + " " + list[i].Name
	})
}

// What is shown of a bundle's gaps without TextOptions.All.
const (
	gapRows  = 5
	gapLines = 2 // of each
)

// cluster sums up the Kubernetes objects in one sentence.
func (v *view) cluster() {
	if v.r.Cluster == nil {
		return
	}
	if text := v.clusterText(v.r.Cluster); text != "" {
		v.section("CLUSTER", text)
	}
}

// clusterText is "Kubernetes v1.21.7 as of 2022-03-22 23:49:32; 1 node; 42 pods: 40 Running, 2 Succeeded; 1,182
// objects".
func (v *view) clusterText(c *schema.Cluster) string {
	pods := int64(0)
	for _, p := range c.Pods {
		pods += p.Count
	}
	return joined("; ",
		strings.TrimSpace(behind("Kubernetes ", c.Version)+behind(" as of ", when(c.Time))),
		countOf(c.Nodes, "node"),
		given(pods > 0, phrase.Count(pods, "pod")+": "+v.tallies(c.Pods, len(c.Pods))),
		given(c.Objects > 0, phrase.Count(c.Objects, "object")+
			given(len(c.Kinds) > 0 && v.all, ": "+v.tallies(c.Kinds, len(c.Kinds)))))
}

// gaps writes what a bundle lacks by its own words: what isn't there proves nothing.
func (v *view) gaps() {
	if v.r.Cluster == nil || len(v.r.Cluster.Gaps) == 0 {
		return
	}
	gaps := v.r.Cluster.Gaps
	v.section("NOT COLLECTED", "says the bundle itself")
	for i := range gaps {
		if i == gapRows && !v.all {
			v.line(plain("  +" + phrase.Number(len(gaps)-i) + " more"))
			return
		}
		v.hanging(v.at(gaps[i].Input, gaps[i].Line)+": "+gaps[i].Text, 2, gapLines)
	}
}
