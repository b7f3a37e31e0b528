package verdict

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// restartedRule is restarted-earlier, which lists what restarted at some time and runs.
const restartedRule = "TR746"

const (
	// fewTogether is how many workloads make restarts of one time or one node worth a word. In an OpenShift install 19
	// workloads restarted within 24 s, as their leases were lost; in one of a single node, over two days, 19 within 27
	// s.
	fewTogether = 3
	// byChance is how likely restarts of independent causes may be all on one node.
	byChance = 0.01
)

// An end is a container's last end.
type end struct {
	at       time.Time
	node     string
	workload kube.Ref
}

// RestartsTogether adds to a finding that lists restarts what many of them share: the seconds in which they ended, or
// the node that they ran on. Replicas of one workload, which a rollout restarts in order, are one.
func RestartsTogether(found []rules.Finding, pass *rules.Pass) {
	c := parsed.Cluster(pass)
	i := slices.IndexFunc(found, func(f rules.Finding) bool { return f.Rule == restartedRule })
	if c == nil || i < 0 {
		return
	}
	ends, onNode, pods := lastEnds(c)
	if group := densest(ends); workloadsOf(group) >= fewTogether {
		first, last := group[0].at, group[len(group)-1].at
		found[i].Notes = append(found[i].Notes, fmt.Sprintf("%s of %d workloads ended within %s, from %s on%s: "+
			"one event, not many.", phrase.Plural(len(group), "container"), workloadsOf(group),
			phrase.Spell(max(last.Sub(first), time.Second)), first.UTC().Format(time.DateTime),
			phrase.InBrackets(nodeText(group))))
	}
	if node := oneNode(ends); node != "" && workloadsOf(ends) >= fewTogether &&
		hardlyByChance(onNode[node], pods, workloadsOf(ends)) {
		found[i].Notes = append(found[i].Notes, fmt.Sprintf("All %d workloads restarted on node %s, which runs %d of "+
			"%d pods: look at that node.", workloadsOf(ends), node, onNode[node], pods))
	}
}

// hardlyByChance reports whether n programs are unlikely to be all on a node that runs onNode of so many pods.
func hardlyByChance(onNode, pods, n int) bool {
	return math.Pow(float64(onNode)/float64(max(pods, 1)), float64(n)) < byChance
}

// lastEnds are the last ends of containers that restarted, in order of time, and how many pods each node runs.
func lastEnds(c *kube.Cluster) (ends []end, onNode map[string]int, pods int) {
	onNode = map[string]int{}
	for _, p := range c.Pods {
		if p.Gone || p.Node == "" {
			continue
		}
		onNode[p.Node]++
		pods++
		for i := range p.Containers {
			if t := p.Containers[i].Last; t != nil && !t.Finished.IsZero() {
				top := c.Top(&p.Meta)
				top.UID = ""
				ends = append(ends, end{t.Finished, p.Node, top})
			}
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return a.at.Compare(b.at) })
	return ends, onNode, pods
}

// densest are the ends within eventSpan that are of most workloads.
func densest(ends []end) (best []end) {
	from := 0
	for to := range ends {
		for ends[to].at.Sub(ends[from].at) > eventSpan {
			from++
		}
		if group := ends[from : to+1]; workloadsOf(group) > workloadsOf(best) {
			best = group
		}
	}
	return best
}

func workloadsOf(ends []end) int {
	distinct := map[kube.Ref]bool{}
	for _, e := range ends {
		distinct[e.workload] = true
	}
	return len(distinct)
}

// oneNode is the node of all ends, "" where there are several.
func oneNode(ends []end) string {
	if len(ends) == 0 || slices.ContainsFunc(ends, func(e end) bool { return e.node != ends[0].node }) {
		return ""
	}
	return ends[0].node
}

func nodeText(ends []end) string {
	if node := oneNode(ends); node != "" {
		return "all on node " + node
	}
	nodes := map[string]bool{}
	for _, e := range ends {
		nodes[e.node] = true
	}
	return "on " + phrase.Plural(len(nodes), "node")
}
