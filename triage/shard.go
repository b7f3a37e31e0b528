package triage

import (
	"cmp"
	"context"

	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/merge"
	"github.com/gotriage/triage/triage/schema"
)

// part reports on one of several parts of the inputs. It judges each unit by itself and merges the reports, so that the
// merge of all parts is the same for any number of parts. It drops what was read of a unit once that is judged.
func (o Options) part(ctx context.Context, m contents, code codeReader) (*Report, error) {
	o.Stacks = false // a merged report has no drawings
	merger := merge.New()
	for _, s := range m.skips {
		merger.Skip(s)
	}
	m.skips = nil
	var failed error
	for i, unit := range m.units {
		r, err := o.report(ctx, m, i, code)
		failed = cmp.Or(failed, err)
		merger.Add(r, sources.FirstPath(unit[0].Source))
		m.units[i], m.passes[i] = nil, nil
	}
	r := merger.Report()
	r.Tool.Version = o.Version
	r.Merged.Reports, r.Merged.Shards = 1, []schema.Shard{{Index: cmp.Or(o.Shard%o.Shards, o.Shards), Of: o.Shards}}
	return r, failed
}
