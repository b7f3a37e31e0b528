// Package sources reads the inputs: every source's lines, objects, audit events and profiles go to the parser that
// knows them.
package sources

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/triage/schema"
)

// Options choose what to read of which inputs, and how.
type Options struct {
	Inputs []string  // files, folders, globs, "-"
	Stdin  io.Reader // read for "-"
	// Namespace, Pod and Container, where set, leave out what is known to be of others.
	Namespace, Pod, Container string
	// Since and Until, where not zero, leave out log lines and requests of other times.
	Since, Until time.Time
	Only, Skip   []string // globs over paths (ingest.Options)
	Limits       ingest.Limits
	Progress     *schema.Progress // counted up where not nil
	Reports      bool             // takes triage's own reports as inputs
	store        *kube.Store      // what the readers of one run's objects share
}

// Ingest are the options for the package that opens the inputs.
func (o Options) Ingest() ingest.Options {
	in := ingest.Options{Stdin: o.Stdin, Only: o.Only, Skip: o.Skip, Limits: o.Limits}
	if o.Progress != nil {
		in.Progress = bytesRead{o.Progress}
	}
	return in
}

// bytesRead counts what ingest finds and reads.
type bytesRead struct{ to *schema.Progress }

func (p bytesRead) Found(_ int, bytes int64) { p.to.Total.Add(bytes) }
func (p bytesRead) Read(bytes int)           { p.to.Bytes.Add(int64(bytes)) }

// counted is where progress is counted.
func (o Options) counted() *schema.Progress { return cmp.Or(o.Progress, &schema.Progress{}) }

// ReadAll reads what the inputs hold and returns what each source gave, in order of the inputs.
func ReadAll(ctx context.Context, o Options) ([]*Result, []schema.Skipped) {
	o.store = kube.NewStore(0)
	return Walk(ctx, o, o.Ingest(), func(s ingest.Source) *Result {
		if rd := o.narrow(s); rd != nil {
			return rd
		}
		return read(ctx, s, o)
	})
}

// Walk calls one for every source of the inputs, as many at a time as there are processors, and returns the results
// in order of the inputs, whatever the order in which they end. Sources that a cancellation kept from being read give
// none.
func Walk[T any](ctx context.Context, o Options, in ingest.Options, one func(ingest.Source) T) ([]T, []schema.Skipped) {
	type result struct {
		source ingest.Source
		of     T
	}
	var mu sync.Mutex
	var all []result
	skips := ingest.Walk(ctx, o.Inputs, in, func(s ingest.Source) {
		if ctx.Err() != nil {
			return
		}
		o.counted().Sources.Add(1)
		r := result{s, one(s)}
		o.counted().Done.Add(1)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, r)
	})
	slices.SortFunc(all, func(a, b result) int { return a.source.Compare(b.source) })
	out := make([]T, 0, len(all))
	for _, r := range all {
		out = append(out, r.of)
	}
	return out, Skips(skips)
}

// Skips brings what ingest did not read into the report's form.
func Skips(skips []ingest.Skip) []schema.Skipped {
	out := make([]schema.Skipped, 0, len(skips))
	for _, s := range skips {
		out = append(out, schema.Skipped(s))
	}
	return out
}
