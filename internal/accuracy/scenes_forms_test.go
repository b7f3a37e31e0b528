package accuracy

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// says has a container log a line; kubectl and the kubelet's files show it with its time.
func (w *world) says(pod obj, container, line string) {
	m := meta(pod)
	name := filepath.Join("var/log/pods", fmt.Sprintf("%s_%s_%s", text(m, "namespace"), text(m, "name"), text(m, "uid")),
		container, "0.log")
	if w.said == nil {
		w.said = map[string][]string{}
	}
	for l := range strings.Lines(line) {
		w.said[name] = append(w.said[name], w.now.UTC().Format("2006-01-02T15:04:05.000000000Z")+" stderr F "+
			strings.TrimSuffix(l, "\n"))
	}
}

// each calls f with all objects of a kind, in the order in which they were made.
func (w *world) each(kind string, f func(o obj)) {
	for _, k := range w.order {
		if o := w.objects[k]; text(o, "kind") == kind {
			f(o)
		}
	}
}

// listAt reads a list of objects at a path.
func listAt(o obj, path ...string) []obj {
	for _, p := range path[:len(path)-1] {
		o, _ = o[p].(obj)
	}
	list, _ := o[path[len(path)-1]].([]any)
	var all []obj
	for _, e := range list {
		if m, ok := e.(obj); ok {
			all = append(all, m)
		}
	}
	return all
}

func ago(now time.Time, since string) string {
	t, err := time.Parse(time.RFC3339, since)
	if err != nil {
		return "<unknown>"
	}
	switch d := now.Sub(t); {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 10*time.Minute && int(d.Seconds())%60 > 0:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 3*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours())/24)
	}
}

// tables is what kubectl get pods --all-namespaces -o wide prints, and kubectl get events --all-namespaces.
func (w *world) tables() (pods, events string) {
	var b strings.Builder
	const row = "%-12s %-44s %-7s %-28s %-16s %-7s %-14s %-10s %-16s %s\n"
	fmt.Fprintf(&b, row, "NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE",
		"READINESS GATES")
	w.each("Pod", func(p obj) {
		status, ready, all, restarts := podStatus(p)
		m := meta(p)
		again := fmt.Sprint(restarts)
		if restarts > 0 {
			again += " (70s ago)"
		}
		fmt.Fprintf(&b, row, m["namespace"], m["name"], fmt.Sprintf("%d/%d", ready, all), status, again,
			ago(w.now, text(m, "creationTimestamp")), "10.244.1.7", cmp.Or(nodeOf(p), "<none>"), "<none>", "<none>")
	})
	var e strings.Builder
	const line = "%-12s %-11s %-9s %-26s %-52s %s\n"
	fmt.Fprintf(&e, line, "NAMESPACE", "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")
	w.each("Event", func(o obj) {
		about := o["involvedObject"].(obj)
		fmt.Fprintf(&e, line, meta(o)["namespace"], ago(w.now, text(o, "lastTimestamp")), o["type"], o["reason"],
			strings.ToLower(text(about, "kind"))+"/"+text(about, "name"), o["message"])
	})
	return b.String(), e.String()
}

// podStatus is the word in kubectl's column STATUS, the containers that are ready, all, and their restarts.
func podStatus(p obj) (word string, ready, all, restarts int) {
	status, _ := p["status"].(obj)
	word = cmp.Or(text(status, "reason"), text(status, "phase"))
	inits := listAt(status, "initContainerStatuses")
	for i, c := range inits {
		state, _ := c["state"].(obj)
		waiting, _ := state["waiting"].(obj)
		if done, ok := state["terminated"].(obj); ok && done["exitCode"] == 0 {
			continue
		}
		word = fmt.Sprintf("Init:%d/%d", i, len(inits))
		if r := text(waiting, "reason"); r != "" && r != "PodInitializing" {
			word = "Init:" + r
		}
		return word, 0, max(1, len(listAt(p, "spec", "containers"))), c["restartCount"].(int)
	}
	for _, c := range listAt(status, "containerStatuses") {
		state, _ := c["state"].(obj)
		if r, ok := c["ready"].(bool); ok && r {
			ready++
		}
		restarts += c["restartCount"].(int)
		if waiting, ok := state["waiting"].(obj); ok {
			word = text(waiting, "reason")
		} else if done, ok := state["terminated"].(obj); ok {
			word = text(done, "reason")
		}
	}
	if meta(p)["deletionTimestamp"] != nil {
		word = "Terminating"
	}
	return word, ready, max(1, len(listAt(p, "spec", "containers"))), restarts
}

// described is what kubectl describe pods --all-namespaces prints.
func (w *world) described() string {
	var b strings.Builder
	w.each("Pod", func(p obj) { w.describe(&b, p) })
	return b.String()
}

const describedDate = "Mon, 02 Jan 2006 15:04:05 -0700"

func (w *world) describe(b *strings.Builder, p obj) {
	m, status := meta(p), p["status"].(obj)
	at := func(s string) string {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return s
		}
		return t.Format(describedDate)
	}
	fmt.Fprintf(b, "Name:             %s\nNamespace:        %s\nPriority:         0\nService Account:  default\n", m["name"],
		m["namespace"])
	if node := nodeOf(p); node == "" {
		b.WriteString("Node:             <none>\n")
	} else {
		fmt.Fprintf(b, "Node:             %s/10.0.0.%c\n", node, node[len(node)-1])
	}
	if s := text(status, "startTime"); s != "" {
		fmt.Fprintf(b, "Start Time:       %s\n", at(s))
	}
	fmt.Fprintf(b, "Labels:           app=%s\nAnnotations:      <none>\nStatus:           %s\n", "x", status["phase"])
	for _, k := range []string{"Reason", "Message"} {
		if s := text(status, strings.ToLower(k)); s != "" {
			fmt.Fprintf(b, "%-18s%s\n", k+":", s)
		}
	}
	b.WriteString("IP:               10.244.1.7\nIPs:\n  IP:           10.244.1.7\n")
	if owners := listAt(m, "ownerReferences"); len(owners) > 0 {
		fmt.Fprintf(b, "Controlled By:  %s/%s\n", owners[0]["kind"], owners[0]["name"])
	}
	for _, list := range [][2]string{{"Init Containers", "initContainerStatuses"}, {"Containers", "containerStatuses"}} {
		all := listAt(status, list[1])
		if len(all) > 0 {
			b.WriteString(list[0] + ":\n")
		}
		for _, c := range all {
			describeContainer(b, p, c, at)
		}
	}
	b.WriteString("Conditions:\n  Type              Status\n")
	for _, c := range listAt(status, "conditions") {
		fmt.Fprintf(b, "  %-17s %s \n", c["type"], c["status"])
	}
	b.WriteString("Volumes:         <none>\nQoS Class:       Burstable\nNode-Selectors:  <none>\nTolerations:     <none>\n")
	w.describeEvents(b, m["uid"])
	b.WriteString("\n\n")
}

func describeContainer(b *strings.Builder, p, c obj, at func(string) string) {
	image := ""
	for _, list := range []string{"initContainers", "containers"} {
		for _, s := range listAt(p, "spec", list) {
			if s["name"] == c["name"] {
				image = text(s, "image")
			}
		}
	}
	fmt.Fprintf(b, "  %s:\n    Container ID:   \n    Image:          %s\n    Image ID:       \n    Port:           <none>\n",
		c["name"], image)
	for _, f := range [][2]string{{"State", "state"}, {"Last State", "lastState"}} {
		state, _ := c[f[1]].(obj)
		for _, kind := range []string{"waiting", "running", "terminated"} {
			s, ok := state[kind].(obj)
			if !ok {
				continue
			}
			fmt.Fprintf(b, "    %-16s%s\n", f[0]+":", strings.ToUpper(kind[:1])+kind[1:])
			for _, k := range []string{"reason", "message", "exitCode", "startedAt", "finishedAt"} {
				label := map[string]string{"reason": "Reason", "message": "Message", "exitCode": "Exit Code",
					"startedAt": "Started", "finishedAt": "Finished"}[k]
				if v, ok := s[k]; ok && (kind != "waiting" || k == "reason") {
					fmt.Fprintf(b, "      %-14s%s\n", label+":", at(fmt.Sprint(v)))
				}
			}
		}
	}
	ready := "False"
	if c["ready"] == true {
		ready = "True"
	}
	fmt.Fprintf(b, "    Ready:          %s\n    Restart Count:  %d\n    Environment:    <none>\n    Mounts:         <none>\n",
		ready, c["restartCount"])
}

func (w *world) describeEvents(b *strings.Builder, uid any) {
	n := 0
	w.each("Event", func(e obj) {
		if e["involvedObject"].(obj)["uid"] != uid {
			return
		}
		if n++; n == 1 {
			b.WriteString("Events:\n  Type     Reason                  Age                  From               Message\n" +
				"  ----     ------                  ----                 ----               -------\n")
		}
		age := ago(w.now, text(e, "lastTimestamp"))
		if count := e["count"].(int); count > 1 {
			age = fmt.Sprintf("%s (x%d over %s)", age, count, ago(w.now, text(e, "firstTimestamp")))
		}
		fmt.Fprintf(b, "  %-8s %-23s %-20s %-18s %s\n", e["type"], e["reason"], age, "kubelet", e["message"])
	})
	if n == 0 {
		b.WriteString("Events:          <none>\n")
	}
}
