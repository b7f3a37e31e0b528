package triage

import (
	"context"
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// maxExcerptText bounds the text of one line of ReadLines, in bytes; maxExcerpt its lines. Chosen.
	maxExcerptText = 4 << 10
	maxExcerpt     = 2_000
)

// ReadLines returns the lines of one input, as Report.Inputs names it, from line-around to line+around, without their
// framing; none where the input or the lines aren't there. o.Inputs is not used. It reads the file twice.
func ReadLines(ctx context.Context, o Options, input string, line int64, around int) ([]schema.ExcerptLine, error) {
	file, _, _ := strings.Cut(input, ingest.InsideArchive)
	o.Inputs = []string{file}
	reading := o.readOptions()
	around = min(max(around, 0), maxExcerpt/2)
	results, skips := sources.Walk(ctx, reading, reading.Ingest(), func(s ingest.Source) []schema.ExcerptLine {
		defer s.Forget()
		if sources.FirstPath(s) != input {
			return nil
		}
		t := &lineTaker{}
		handler := ingest.Handler{Lines: t.lines, Blob: func(ingest.Kind, []byte) error { return nil }}
		// Where a line lies is known when all were read: a log may be in reversed order, an export in any.
		t.where, _ = ingest.Read(ctx, s, handler, reading.Ingest())
		if t.where != nil {
			t.from, t.to = line-int64(around), line+int64(around)
			_, _ = ingest.Read(ctx, s, handler, reading.Ingest())
		}
		return t.found
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("reading the inputs: %w", context.Cause(ctx))
	}
	for _, found := range results {
		if len(found) > 0 {
			return found, nil
		}
	}
	for _, s := range skips {
		if s.Named {
			return nil, fmt.Errorf("%s: %s", s.Path, s.Reason)
		}
	}
	return nil, nil
}

// A lineTaker takes the lines of a source that lie in a range of its file.
type lineTaker struct {
	where    *ingest.Result // nil while lines are only counted
	from, to int64
	found    []schema.ExcerptLine
}

func (t *lineTaker) lines(batch []ingest.Line) error {
	if t.where == nil {
		return nil
	}
	for i := range batch {
		path, line := t.where.Locate(batch[i].Num)
		if line < t.from || line > t.to || len(t.found) == maxExcerpt {
			continue
		}
		text := strings.ToValidUTF8(string(batch[i].Text[:min(len(batch[i].Text), maxExcerptText)]), "\uFFFD")
		if len(batch[i].Text) > maxExcerptText {
			text = strings.TrimSuffix(text, "\uFFFD") + "… (cut)"
		}
		t.found = append(t.found, schema.ExcerptLine{Input: path, Line: line, Text: text})
	}
	return nil
}
