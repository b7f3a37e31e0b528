package sources

import (
	"bytes"
	"cmp"
	"fmt"
	"time"

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

// A period bounds the time of what is looked at: from since to until, both included; the zero time bounds nothing.
type period struct {
	since, until time.Time
	// seconds of since and until as stamps in UTC begin, for comparing without parsing.
	first, last string
}

// secondForm is how far two stamps in UTC compare as text.
const secondForm = "2006-01-02T15:04:05"

func newPeriod(since, until time.Time) period {
	p := period{since: since, until: until}
	if !since.IsZero() {
		p.first = since.UTC().Format(secondForm)
	}
	if !until.IsZero() {
		p.last = until.UTC().Format(secondForm)
	}
	return p
}

func (p period) bounded() bool { return p.first != "" || p.last != "" }

// holds reports whether the stamp of a log's framing lies in p. A line without a stamp, or with one that lacks its
// zone, may: leaving it out would lose evidence.
func (p period) holds(stamp []byte) bool {
	if len(stamp) <= len(secondForm) || !p.bounded() {
		return true
	}
	if stamp[len(stamp)-1] == 'Z' && stamp[10] == 'T' {
		second := stamp[:len(secondForm)]
		switch {
		case p.first != "" && bytes.Compare(second, []byte(p.first)) < 0:
			return false
		case p.last != "" && bytes.Compare(second, []byte(p.last)) > 0:
			return false
		case string(second) != p.first && string(second) != p.last:
			return true
		}
	}
	for _, form := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
		if at, err := time.Parse(form, string(stamp)); err == nil {
			return p.holdsTime(at)
		}
	}
	return true
}

// holdsTime reports whether at lies in p; the zero time, which is unknown, may.
func (p period) holdsTime(at time.Time) bool {
	return at.IsZero() || (p.since.IsZero() || !at.Before(p.since)) && (p.until.IsZero() || !at.After(p.until))
}
