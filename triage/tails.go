package triage

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
)

// tailDumps are the ends of dumps in the termination messages of a cluster's containers. They are cut in front by
// nature, and left out where the log of the same container's instance holds a dump, which is whole or at least
// longer.
func tailDumps(c *kube.Cluster, dumps []*rules.DumpInput) []*rules.DumpInput {
	known := map[string]bool{}
	for _, d := range dumps {
		known[d.Target.Namespace+"/"+d.Target.Pod+"/"+d.Target.Container] = true
	}
	var all []*rules.DumpInput
	for _, t := range c.Tails {
		if known[t.Namespace+"/"+t.Pod+"/"+t.Container] {
			continue
		}
		from := ingest.Origin{
			Namespace: t.Namespace, Pod: t.Pod, PodUID: t.UID, Container: t.Container, Node: t.Node, Restart: t.Restart,
		}
		p := stackparse.NewParser(func(d *stackparse.Dump) {
			d.Truncated.Head = true
			all = append(all, &rules.DumpInput{
				Dump: d, Input: t.Input, Locate: func(int64) (string, int64) { return t.Input, t.Line },
				Process: identity.ProcessName(from, ""),
				Target:  identity.TargetFrom(t.Input, from),
			})
		})
		num := int64(0)
		for line := range bytes.Lines([]byte(t.Text)) {
			num++
			p.Line(bytes.TrimRight(line, "\r\n"), num, nil)
		}
		p.Close()
	}
	return all
}
