package report

import (
	"cmp"
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

// writeTrail sums up the audit logs: how much of what they hold, who writes which object most, and what they can't
// show.
func (v *view) writeTrail() {
	a := v.report.Audit
	if a == nil {
		return
	}
	v.section("AUDIT", auditText(a))
	if v.all || !v.alarms() {
		v.writers(a.Writers)
		v.talkers(a)
	}
	for i, l := range a.Limits {
		if i == v.rowsBesideLead(limitRows) && !v.all {
			v.more(2, len(a.Limits)-i, "thing", " unknown; --all lists them")
			break
		}
		v.labelled(span{text: "  unknown", style: v.colour.Dim}, l, proseLines)
	}
}

// talkers names the clients with the most requests.
func (v *view) talkers(a *schema.Audit) {
	if len(a.Talkers) > 0 {
		talkers := slices.Clone(a.Talkers)
		for i := range talkers {
			talkers[i].Name = client(talkers[i].Name)
		}
		v.labelled(span{text: "  most requests", style: v.colour.Dim}, v.tallies(talkers, talkerRows), proseLines)
	}
}

// allTalkers is from how many clients on some may be left out of an audit summary (convert's maxTalkers).
const allTalkers = 20

// ofRequests is ", 98 ended requests" where all clients are listed: a request has up to three events, and a watch that
// runs on has none that ends it.
func ofRequests(a *schema.Audit) string {
	requests := int64(0)
	for _, t := range a.Talkers {
		requests += t.Count
	}
	return textIf(requests > 0 && requests < a.Events && len(a.Talkers) < allTalkers,
		", "+phrase.Count(requests, "ended request"))
}

// auditText is "41,000 events, 1,204 of them writes, from 3 API servers, 2026-03-04 04:12 to 05:13; 38,000 at level
// Metadata, 3,000 at level Request".
func auditText(a *schema.Audit) string {
	s := joined(", ", phrase.Count(a.Events, "event")+ofRequests(a),
		textIf(a.Writes > 0, phrase.Number(a.Writes)+" of them writes"),
		textIf(a.Servers > 0, "from "+phrase.Count(a.Servers, "API server")), Between(a.First, a.Last))
	if len(a.Levels) == 1 {
		return s + "; all at level " + a.Levels[0].Name
	}
	var levels []string
	for _, l := range a.Levels {
		levels = append(levels, textIf(l.Count > 0, phrase.Number(l.Count)+" at level "+l.Name))
	}
	return s + prefixed("; ", joined(", ", levels...))
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
// serviceaccount shop/agent, 1.1/s, 64 without a new version, fields status.lastUpdateTime". Versions show that of all
// writes; bodies, which are not always logged, show what changed.
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
	return joined(", ", subject(w)+" by "+account(w.Actor), perTime(perSecond(w)),
		textIf(w.NoOps > 0, phrase.Number(w.NoOps)+" without a new version"), countOf(w.Conflicts, "conflict"), fields)
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

// subject is what a writer writes: "bundledeployments fleet-local/agent"; requests may name no object.
func subject(w *schema.Writer) string {
	return joined(" ", w.Resource, joined("/", w.Namespace, w.Name))
}

// perSecond is how often a writer writes, 0 where its times are unknown.
func perSecond(w *schema.Writer) float64 {
	from, to := timeIn(w.First), timeIn(w.Last)
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

// kindRows is how many kinds of objects are counted by name.
const kindRows = 6

// writeCluster sums up the Kubernetes objects in one sentence.
func (v *view) writeCluster() {
	if v.report.Cluster == nil {
		return
	}
	if text := v.clusterText(v.report.Cluster); text != "" {
		v.section("CLUSTER", text)
		v.gapRows(v.report.Cluster.Remarks)
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
		strings.TrimSpace(prefixed("Kubernetes ", c.Version)+prefixed(" as of ", timeText(c.Time))),
		countOf(c.Nodes, "node"),
		textIf(pods > 0, phrase.Count(pods, "pod")+": "+v.tallies(c.Pods, len(c.Pods))),
		textIf(c.Objects > 0, phrase.Count(c.Objects, "object")+
			textIf(len(c.Kinds) > 0, ": "+v.tallies(c.Kinds, kindRows))))
}

// writeGaps writes what a bundle lacks by its own words: what isn't there proves nothing.
func (v *view) writeGaps() {
	if v.report.Cluster == nil || len(v.report.Cluster.Gaps) == 0 {
		return
	}
	v.section("NOT COLLECTED", "according to the bundle itself")
	v.gapRows(v.report.Cluster.Gaps)
}

// gapRows lists what is missing, and where. What one text says about several places is one row.
func (v *view) gapRows(gaps []schema.Gap) {
	left := len(gaps)
	for i, same := range groupedBy(pointers(gaps), func(g *schema.Gap) string { return g.Text }) {
		if i == gapRows && !v.all {
			v.line(plain("  +" + phrase.Number(left) + " more"))
			return
		}
		n, first := len(same), same[0]
		left -= n
		places := v.at(first.Input, first.Line) + textIf(n > 1, " and "+phrase.Count(n-1, "more place"))
		v.hanging(places+": "+first.Text, 2, gapLines)
	}
}

// What makes a pattern worth a row without TextOptions.All.
const (
	// patternRows is how many are shown.
	patternRows = 5
	// loudRate, in lines a second, and loudCount: a line a second for a minute. Healthy clusters log one pattern at 2
	// to 10 lines a second, so this accuses nothing, and the text has it.
	loudRate, loudCount = 1, 60
	// errorCount is how often an error occurs before it is worth a row: client-go joins similar events from 10 on.
	errorCount = 10
)

// writeLogs lists what logs repeat most where no finding speaks of it: errors first. A report on a dump alone has none:
// the log around a dump is not what was asked for.
func (v *view) writeLogs() {
	list := v.unspoken()
	beside := v.alarms() || !v.ofCluster() && len(v.report.Dumps)+len(v.report.Profiles) > 0
	if len(list) == 0 || beside && !v.all {
		return
	}
	shown := list[:v.shown(len(list), v.rowsBesideLead(patternRows))]
	what := "errors, and lines logged at least once a second; no finding covers them"
	if v.all {
		what = "the most frequent first"
	}
	patterns := phrase.Count(len(list), "pattern")
	if len(shown) < len(list) {
		patterns = phrase.Number(len(shown)) + " of " + patterns
	}
	v.section("LOGS", patterns+": "+what)
	v.patterns(shown)
}

// patterns is the table: numbers, where, and what the lines contain.
func (v *view) patterns(shown []*schema.Pattern) {
	rows := make([]gridRow, 0, len(shown))
	for _, p := range shown {
		cells := []string{phrase.Number(p.Count), perTime(often(p)), durationText(p.First, p.Last)}
		rows = append(rows, gridRow{cells: cells, name: v.at(p.Input, p.Line), body: v.pattern(p)})
	}
	v.writeGrid([]string{"count", "rate", "for", "in"}, rows, 0)
}

// pattern is a pattern in one line: "error steady: dial tcp <*>: connection refused (10.0.4.7:5432 and 3 more)".
func (v *view) pattern(p *schema.Pattern) string {
	text, level := v.escape(collapse(cmp.Or(p.Template, p.Text))), v.escape(collapse(p.Level))
	level = strings.TrimSpace(level + textIf(p.Steady, " steady"))
	text = textIf(level != "", level+": ") + text
	if n := len(p.Objects); n > 0 && p.Objects[0].Name != "" {
		text += phrase.InBrackets(v.escape(collapse(p.Objects[0].Name)) +
			textIf(n > 1, " and "+phrase.Number(n-1)+" more"))
	}
	return text
}

// often is how many lines a second a pattern has, 0 for one of less than a second; the report's own number knows no
// less than one in 1,000 s.
func often(p *schema.Pattern) float64 {
	if long := timeIn(p.Last).Sub(timeIn(p.First)).Seconds(); p.PerSecond == 0 && long >= 1 {
		return float64(p.Count) / long
	}
	return p.PerSecond
}

// unspoken are the patterns to list: with TextOptions.All those of the report, else errors and loud ones that no
// finding has among its evidence.
func (v *view) unspoken() []*schema.Pattern {
	type line struct {
		input string
		line  int64
	}
	type named struct{ input, name string }
	claimed, about := map[line]bool{}, map[named]bool{}
	for f := range pointers(v.report.Findings) {
		for _, e := range f.Evidence {
			claimed[line{e.Input, e.Line}] = true
			if f.Object != nil && f.Object.Name != "" {
				about[named{e.Input, f.Object.Name}] = true
				about[named{e.Input, f.Object.Namespace + "/" + f.Object.Name}] = true
			}
		}
	}
	list := selected(v.report.Patterns, func(p *schema.Pattern) bool {
		spoken := claimed[line{p.Input, p.Line}] || len(p.Objects) > 0 && about[named{p.Input, p.Objects[0].Name}]
		loud := p.PerSecond >= loudRate && p.Count >= loudCount || isError(p.Level) && p.Count >= errorCount
		return v.all || loud && !spoken
	})
	slices.SortStableFunc(list, func(a, b *schema.Pattern) int {
		return cmp.Or(firstWith(!v.all && isError(a.Level), !v.all && isError(b.Level)), cmp.Compare(b.Count, a.Count))
	})
	return list
}

// isError reports whether a pattern's level is that of a failure.
func isError(level string) bool { return level == "error" || level == "fatal" }
