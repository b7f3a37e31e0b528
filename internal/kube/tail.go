package kube

import "strings"

// tails takes the termination messages of a pod that look like the end of a goroutine dump.
func (r *Reader) tails(o *object) {
	p, ok := o.rec.(*Pod)
	if !ok {
		return
	}
	for i := range p.Containers {
		c := &p.Containers[i]
		for _, t := range []*Termination{c.Last, c.Now} {
			if t == nil || !isDumpTail(t.Message) {
				continue
			}
			restart := c.Restarts
			if t == c.Last {
				restart = max(0, restart-1)
			}
			r.out.tails = append(r.out.tails, Tail{
				At: At{Input: p.Input, Line: t.Line}, Namespace: p.Namespace, Pod: p.Name, Container: c.Name,
				Node: p.Node, UID: p.UID, Restart: restart, Text: t.Message,
			})
		}
	}
}

// isDumpTail reports a goroutine's header, or two frames' places ("\t/src/x.go:12 +0x1f").
func isDumpTail(text string) bool {
	places := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, "]:") {
			return true
		}
		if place, ok := strings.CutPrefix(line, "\t"); ok {
			if i := strings.LastIndex(place, ".go:"); i > 0 && i+4 < len(place) && '0' <= place[i+4] &&
				place[i+4] <= '9' {
				places++
			}
		}
	}
	return places >= 2
}
