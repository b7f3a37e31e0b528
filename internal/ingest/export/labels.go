package export

import (
	"bytes"
	"slices"
	"strings"
)

// A labelMeaning is what a label says about the origin of a record.
type labelMeaning uint8

const (
	slotNamespace labelMeaning = iota
	slotPod
	slotPodUID
	slotContainer
	slotNode
	slotStream // stderr or stdout
	slotFile   // the path of a log
	slotWriter // who wrote it, where no pod is known: a host, a file, a CloudWatch stream
	slotSet    // {pod="web-1", …}
	slotTag    // pod_name:web-1
	slots      = int(slotWriter) + 1
)

// Labels are what the records of one writer have in common.
type Labels struct {
	Namespace, Pod, PodUID, Container, Node, Stream string
	// File is the path of the log where it was written, Writer what else distinguishes writers.
	File, Writer string
}

// A labelled place has labels as its values.
type labelled struct {
	node *node
	slot labelMeaning
}

// labelNames are the ends of names, in lower-case letters and digits alone, that stores give labels, with the keys
// above them: kubernetes.pod.name, k8s.pod.name, PodName, resource.labels.pod_name.
var labelNames = [...]struct {
	slot labelMeaning
	ends []string
}{
	{slotNamespace, []string{"namespacename", "podnamespace", "namespace", "kubens"}},
	{slotPodUID, []string{"podid", "poduid"}},
	{slotPod, []string{"podname", "k8spod", "kubepod", "kubernetespod", "pod"}},
	{slotContainer, []string{"containername", "k8scontainer", "container"}},
	{slotNode, []string{"nodename", "k8snode", "computer", "node"}},
	{slotStream, []string{"stream", "logsource", "iostream", "logiostream"}},
	{slotWriter, []string{
		"logstreamname", "logstream", "containerid", "hostname", "host", "instance", "instanceid", "taskid",
		"systemdunit", "syslogidentifier",
	}},
	{slotFile, []string{"logfilepath", "filename", "filepath", "path", "source", "file"}},
	{slotSet, []string{"streamlabels"}},
	{slotTag, []string{"tags", "ddtags"}},
}

// slotOf is what a place's names say that its values are.
func slotOf(n *node) (s labelMeaning, ok bool) {
	switch n.key {
	case "_stream":
		return slotSet, true
	case "_PID": // of a journal
		return slotWriter, true
	}
	names := n.names()
	if len(names) == 0 {
		return 0, false
	}
	last := squeeze(names[len(names)-1])
	whole := squeeze(strings.Join(names, ""))
	for _, l := range labelNames {
		for _, end := range l.ends {
			if last == end || l.slot < slotStream && len(end) > 6 && strings.HasSuffix(whole, end) {
				return l.slot, true
			}
		}
	}
	return 0, false
}

// squeeze keeps lower-case letters and digits.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}

const (
	// maxLabel bounds a label's value, maxSetText a set of labels in one text, maxParsed how many of them are kept.
	maxLabel   = 256
	maxSetText = 4 << 10
	maxParsed  = 1 << 10
)

// chooseLabels picks the places of labels: in the record, or in what is around it. Programs name namespaces and pods in
// their own records too; of several places for one slot the one beside the pod is the record's, or the one that speaks
// of Kubernetes, or the one farthest out.
func chooseLabels(c *sampler, record *node) []labelled {
	best := make(map[labelMeaning]*node)
	var all []labelled
	for _, n := range c.tree.nodes[:min(len(c.tree.nodes), len(c.counts))] {
		s, ok := slotOf(n)
		if !ok || !c.of(n).mayLabel() || !record.within(n.container()) && !n.within(record) {
			continue
		}
		if s > slotStream {
			all = append(all, labelled{n, s})
		} else if b := best[s]; b == nil || labelRank(n) > labelRank(b) {
			best[s] = n
		}
	}
	for s, n := range best {
		if pod := best[slotPod]; pod != nil && s != slotPod {
			n = beside(c, pod, s, n)
		}
		all = append(all, labelled{n, s})
	}
	slices.SortFunc(all, func(a, b labelled) int { return a.node.id - b.node.id })
	return all
}

// mayLabel reports whether the values are like those of a label: short, no times, and of far fewer writers than there
// are records.
func (k *valueCount) mayLabel() bool {
	const few = 8
	return k.strings > 0 && k.bytes <= maxLabel*k.strings && k.times == 0 && len(k.distinct) <= max(few, k.seen/4)
}

// beside is the place of a slot among pod's siblings, or else n.
func beside(c *sampler, pod *node, s labelMeaning, n *node) *node {
	for _, sibling := range pod.parent.children {
		if of, ok := slotOf(sibling); ok && of == s && c.of(sibling).strings > 0 &&
			(n.parent != pod.parent || sibling.id < n.id) {
			n = sibling
		}
	}
	return n
}

func labelRank(n *node) int {
	whole := strings.ToLower(strings.Join(n.names(), "."))
	rank := -n.depth
	if strings.Contains(whole, "kube") || strings.Contains(whole, "k8s") {
		rank += 100
	}
	return rank
}

// A labelSet is the labels of one element.
type labelSet [slots]string

// set takes a value of a labelled place.
func (l *labelSet) set(s labelMeaning, text []byte) {
	switch {
	case len(text) == 0 || s != slotSet && len(text) > maxLabel:
	case s == slotSet:
		l.setAll(text)
	case s == slotTag:
		for tag := range bytes.SplitSeq(text, []byte{','}) {
			if key, val, ok := bytes.Cut(tag, []byte{':'}); ok {
				l.named(bytes.TrimSpace(key), bytes.TrimSpace(val))
			}
		}
	case s == slotFile && !isLogPath(text):
	case s == slotWriter && l[s] != "":
		l[s] += " " + string(text)
	default:
		l[s] = string(text)
	}
}

// isLogPath reports whether a text is a log's path and not a place in a program.
func isLogPath(text []byte) bool {
	return text[0] == '/' && (bytes.HasSuffix(text, []byte(".log")) || bytes.Contains(text, []byte("/log")))
}

// named takes a label by its name.
func (l *labelSet) named(key, val []byte) {
	if s, ok := slotOf(&node{parent: &node{}, key: string(key)}); ok && s < slotWriter {
		l.set(s, val)
	}
}

// setAll takes Prometheus' form of a set of labels: {pod="web-1",namespace="shop"}.
func (l *labelSet) setAll(text []byte) {
	if len(text) > maxSetText || text[0] != '{' {
		return
	}
	l[slotWriter] = string(text[:min(len(text), maxLabel)])
	for text = text[1:]; ; {
		key, rest, ok := bytes.Cut(text, []byte(`="`))
		if !ok {
			return
		}
		val, rest, ok := bytes.Cut(rest, []byte{'"'})
		if !ok {
			return
		}
		l.named(bytes.Trim(key, ", "), val)
		text = rest
	}
}

// over returns l with what is missing taken from outer.
func (l labelSet) over(outer labelSet) labelSet {
	for i, v := range outer {
		if l[i] == "" {
			l[i] = v
		}
	}
	return l
}

// labels are those that distinguish writers: hosts and files only where no pod is known.
func (l labelSet) labels() Labels {
	all := Labels{
		Namespace: l[slotNamespace], Pod: l[slotPod], PodUID: l[slotPodUID], Container: l[slotContainer],
		Node: l[slotNode], File: l[slotFile], Writer: l[slotWriter],
	}
	if all.Pod != "" {
		all.File, all.Writer = "", ""
	}
	if s := l[slotStream]; s == "stderr" || s == "stdout" {
		all.Stream = s
	}
	return all
}
