package sources

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
)

// ErrNoTime is the error of a time that counts back from the end of inputs without any time.
var ErrNoTime = errors.New("the end of the inputs is unknown: no line or audit event has a timestamp with a time zone")

// ResolveTimes sets Since and Until of o to since and until before the newest time in the inputs; 0 leaves one as it
// is. It reads the inputs once for that, so that standard input is kept: the caller calls drop at the end.
func ResolveTimes(ctx context.Context, o Options, since, until time.Duration) (_ Options, drop func(), err error) {
	drop = func() {}
	if since == 0 && until == 0 {
		return o, drop, nil
	}
	first := o
	first.Progress = nil
	if o.Stdin != nil && slices.Contains(o.Inputs, "-") {
		again, dropped, err := ingest.Hold(o.Stdin, o.Limits)
		if err != nil {
			return o, drop, err
		}
		first.Stdin, o.Stdin, drop = again(), again(), dropped
	}
	end := newest(ctx, first)
	if end.IsZero() {
		return o, drop, ErrNoTime
	}
	if since != 0 {
		o.Since = end.Add(-since)
	}
	if until != 0 {
		o.Until = end.Add(-until)
	}
	return o, drop, nil
}

// newest returns the last time in the inputs, of framings and audit events; the zero time where none has one.
func newest(ctx context.Context, o Options) time.Time {
	ends, _ := Walk(ctx, o, o.Ingest(), func(s ingest.Source) time.Time {
		defer s.Forget()
		if o.refusal(s.Origin) != "" {
			return time.Time{}
		}
		c := &newestTime{}
		// What can't be read is reported by the reading that follows.
		_, _ = ingest.Read(ctx, s, ingest.Handler{
			Lines: c.lines, Stream: c.stream, Blob: func(ingest.Kind, []byte) error { return nil },
		}, o.Ingest())
		return c.end
	})
	var end time.Time
	for _, e := range ends {
		end = later(end, e)
	}
	return end
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// A newestTime remembers the newest time of a source.
type newestTime struct{ end time.Time }

func (c *newestTime) lines(batch []ingest.Line) error {
	for i := range batch {
		if at, ok := timeOf(batch[i].Stamp); ok {
			c.end = later(c.end, at)
		}
	}
	return nil
}

func (c *newestTime) stream(kind ingest.Kind, part ingest.StreamPart, r io.Reader) error {
	if kind != ingest.KindAuditLog {
		return nil
	}
	events := audit.NewReader(audit.Options{})
	_ = events.Read(part.Path, r)
	if t := audit.Merge([]*audit.Log{events.Close()}); t != nil && t.Last > 0 {
		c.end = later(c.end, time.UnixMicro(t.Last))
	}
	return nil
}
