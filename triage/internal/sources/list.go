package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

// List looks at the inputs as ReadAll would read them. The error is for a cancelled context; what came before it is
// in the Listing, which is never nil.
func List(ctx context.Context, o Options) (*schema.Listing, error) {
	type row struct {
		files []schema.Listed
		skips []schema.Skipped
	}
	l := &schema.Listing{
		Schema: schema.ListSchema, Files: []schema.Listed{}, Links: []schema.Link{}, Skipped: []schema.Skipped{},
	}
	var mu sync.Mutex
	in := o.Ingest()
	in.Link = func(path, target string) {
		mu.Lock()
		defer mu.Unlock()
		l.Links = append(l.Links, schema.Link{Path: path, Target: target})
	}
	rows, skips := Walk(ctx, o, in, func(s ingest.Source) row {
		if rd := o.narrow(s); rd != nil {
			return row{skips: rd.Skips}
		}
		result, err := ingest.Look(ctx, s, in)
		r := row{listed(s, result), Skips(result.Skips)}
		if err != nil && ctx.Err() == nil {
			r.skips = append(r.skips, schema.Skipped{Path: FirstPath(s), Reason: err.Error(), Named: true})
		}
		return r
	})
	slices.SortFunc(l.Links, func(a, b schema.Link) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Target, b.Target))
	})
	l.Skipped = append(l.Skipped, skips...)
	for _, r := range rows {
		l.Files = append(l.Files, r.files...)
		l.Skipped = append(l.Skipped, r.skips...)
	}
	if ctx.Err() != nil {
		return l, fmt.Errorf("listing the inputs: %w", context.Cause(ctx))
	}
	return l, nil
}

// listed makes rows of what was learnt about a source's files.
func listed(s ingest.Source, r *ingest.Result) []schema.Listed {
	at := s.Origin
	if len(r.Streams) == 1 {
		at = merge(s.Origin, r.Streams[0].Origin)
	}
	sizes := map[string]int64{}
	for _, p := range s.Parts {
		sizes[p.Path] = p.Size
	}
	var out []schema.Listed
	before := ""
	for _, p := range r.Parts {
		f := schema.Listed{
			Path: p.Path, Kind: string(p.Kind), Bytes: sizes[p.Path],
			Namespace: at.Namespace, Pod: at.Pod, Container: at.Container, Node: at.Node, Unit: at.Unit,
			Restart: at.Restart, Previous: at.Previous,
			Reversed: p.Reversed, HeadCut: p.HeadCut, Follows: before,
		}
		if p.Lines > 0 {
			f.Framing = p.Framing
		}
		before = p.Path
		out = append(out, f)
	}
	return out
}
