package sources

import (
	"cmp"
	"fmt"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

// narrow returns a result with the reason why a source isn't read, nil for one that may be of the wanted namespace,
// pod and container.
func (o Options) narrow(s ingest.Source) *Result {
	reason := o.refuses(s.Origin)
	if reason == "" {
		return nil
	}
	rd := &Result{Source: s, Result: &ingest.Result{}}
	s.Forget()
	for _, p := range s.Parts {
		rd.Skips = append(rd.Skips, schema.Skipped{Path: p.Path, Reason: reason})
	}
	return rd
}

// refuses is the reason why an origin is not what was asked for; "" where it is, or where it is unknown.
func (o Options) refuses(from ingest.Origin) string {
	for _, f := range []struct{ what, want, is string }{
		{"namespace", o.Namespace, from.Namespace},
		{"pod", o.Pod, from.Pod},
		{"container", o.Container, from.Container},
	} {
		if f.want != "" && f.is != "" && f.want != f.is {
			return fmt.Sprintf("left out: %s %q is not %q", f.what, f.is, f.want)
		}
	}
	return ""
}

// merge completes the origin of a source's path by that of a stream, which counts more.
func merge(source, stream ingest.Origin) ingest.Origin {
	m := ingest.Origin{
		Namespace: cmp.Or(stream.Namespace, source.Namespace),
		Pod:       cmp.Or(stream.Pod, source.Pod),
		PodUID:    cmp.Or(stream.PodUID, source.PodUID),
		Container: cmp.Or(stream.Container, source.Container),
		Node:      cmp.Or(stream.Node, source.Node),
		Unit:      cmp.Or(stream.Unit, source.Unit),
		Restart:   source.Restart,
		Previous:  source.Previous,
	}
	if stream.Restart > 0 {
		m.Restart = stream.Restart
	}
	return m
}
