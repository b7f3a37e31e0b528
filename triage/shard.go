package triage

import (
	"cmp"
	"context"

	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/merge"
	"github.com/gotriage/triage/triage/schema"
)

// reportShard reports on one of several parts of the inputs. It judges each batch by itself and merges the reports, so
// that the merge of all parts is the same for any number of parts. It drops what was read of a batch once that is
// judged.
func (o Options) reportShard(ctx context.Context, contents inputContents, code codeReader) (*Report, error) {
	o.Stacks = false // a merged report has no drawings
	merger := merge.New()
	for _, s := range contents.skips {
		merger.Skip(s)
	}
	contents.skips = nil
	var failed error
	for i, batch := range contents.batches {
		r, err := o.reportOn(ctx, contents, i, code)
		failed = cmp.Or(failed, err)
		merger.Add(r, sources.FirstPath(batch[0].Source))
		contents.batches[i], contents.passes[i] = nil, nil
	}
	r := merger.Report()
	r.Tool.Version = o.Version
	r.Merged.Reports, r.Merged.Shards = 1, []schema.Shard{{Index: cmp.Or(o.Shard%o.Shards, o.Shards), Of: o.Shards}}
	return r, failed
}
