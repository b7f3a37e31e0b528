package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// podRows is how many rows of pods are shown without TextOptions.All.
	podRows = 10
	// titleWidth is the width from which on rows have the findings' titles; below it, the names of their rules.
	titleWidth = 120
	// verdictWidth is room for the longest names of rules.
	verdictWidth = 26
)

// A podRow is one row of the table: the containers of one workload with one verdict.
type podRow struct {
	*schema.Pod
	pods     int
	restarts int // the most of them
}

// writePods writes a table of the pods that a large bundle is about, below the verdict: who is down, what restarts, and
// which finding is about it. A bundle whose pods are all well has none.
func (v *view) writePods() {
	if !v.ofCluster() || len(v.report.Pods) < 2 || !slices.ContainsFunc(v.report.Pods, worthATable) {
		return
	}
	rows := podsByVerdict(v.report.Pods)
	listed := slices.DeleteFunc(slices.Clone(rows), func(r podRow) bool { return !v.all && !listedPod(r.Pod) })
	if len(listed) < 2 {
		return
	}
	shown := listed[:v.fitting(len(listed), podRows)]
	v.section("PODS", v.podsText())
	verdict := widest(slices.Values(shown), func(r podRow) string { return v.podVerdict(r.Pod) })
	if v.width < titleWidth {
		verdict = min(verdict, verdictWidth)
	}
	columns := max(v.width-len("  severity  restarts    ")-verdict, v.width/3)
	table := make([]gridRow, 0, len(shown))
	for _, r := range shown {
		severity := pad(cmp.Or(string(r.Severity), "-"), len("severity"))
		restarts := cmp.Or(textIf(r.restarts < 0, "-"), phrase.Number(r.restarts))
		table = append(table, gridRow{cells: []string{severity, restarts}, name: v.podName(r, columns),
			tail: v.podVerdict(r.Pod)})
	}
	v.writeGrid([]string{"severity", "restarts", "pod"}, table, len("  severity"))
	v.more(2, len(listed)-len(shown), "row")
	if len(v.report.Findings) == 1 {
		v.line() // an only finding follows right under the verdict
	}
}

// worthATable reports a pod that a reader must know about: one that is accused, or that can't start. Pods that ended
// with an error are in healthy clusters too: of Jobs that were tried again, of nodes that were shut down.
func worthATable(p schema.Pod) bool {
	return p.Alarm() || cannotStart(&p)
}

func cannotStart(p *schema.Pod) bool { return p.Down && strings.HasSuffix(p.State, "BackOff") }

// listedPod reports whether a pod has a row: one that restarted now and then, or ended, and that nothing accuses, has
// none.
func listedPod(p *schema.Pod) bool { return cannotStart(p) || p.Findings > 0 }

// podsText is "28 containers of 235 pods restarted or failed, 3 down, 9 in findings".
func (v *view) podsText() string {
	down := len(selected(v.report.Pods, func(p *schema.Pod) bool { return p.Down }))
	accused := len(selected(v.report.Pods, func(p *schema.Pod) bool { return p.Findings > 0 }))
	total, of := max(v.report.PodsTotal, len(v.report.Pods)), 0
	if c := v.report.Cluster; c != nil {
		for _, t := range c.Pods {
			of += int(t.Count)
		}
	}
	return joined(", ",
		phrase.Count(total, "container")+textIf(of > 1, " of "+phrase.Count(of, "pod"))+" restarted or failed",
		textIf(down > 0, phrase.Number(down)+" down"), textIf(accused > 0, phrase.Number(accused)+" in findings"))
}

// podsByVerdict folds replicas of one workload with one verdict and state, in the order of their first.
func podsByVerdict(all []schema.Pod) (rows []podRow) {
	type key struct {
		namespace, workload, container, rule, title, state string
		down                                               bool
	}
	for _, g := range groupedBy(pointers(all), func(p *schema.Pod) key {
		return key{p.Namespace, p.Workload, p.Container, p.Rule, p.Title, p.State, p.Down}
	}) {
		most := slices.MaxFunc(g, func(a, b *schema.Pod) int { return cmp.Compare(a.Restarts, b.Restarts) })
		rows = append(rows, podRow{g[0], len(g), most.Restarts})
	}
	return rows
}

// podName is "shop/web-0 (app)", of several "shop/web (app), 3 pods", as much of it as fits into columns: first the
// namespace gives way, then the container.
func (v *view) podName(r podRow, columns int) string {
	name, container := v.escape(r.Pod.Pod), v.escape(r.Container)
	if r.pods > 1 {
		name = v.escape(r.Workload)
	}
	brackets := textIf(container != "" && !strings.HasPrefix(name, container), phrase.InBrackets(container))
	brackets += textIf(r.pods > 1, ", "+phrase.Count(r.pods, "pod"))
	full := textIf(r.Namespace != "", v.escape(r.Namespace)+"/") + name + brackets
	for _, s := range []string{full, name + brackets} {
		if width(s) <= columns {
			return s
		}
	}
	return cutLeft(name, columns, v.glyphs.ellipsis)
}

// podVerdict is the state that keeps it down, and the worst finding about it.
func (v *view) podVerdict(p *schema.Pod) string {
	finding := v.escape(p.Name)
	if v.width >= titleWidth {
		finding = v.escape(collapse(strings.TrimSuffix(p.Title, ".")))
	}
	return joined("; ", textIf(p.Down, v.escape(p.State)), finding)
}
