package sources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/jsonspan"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds of a report that is read back: of its text, and of what decoding it takes, as jsonspan.Shape.Cost estimates
// it. Measured on eight reports that triage wrote (100,000 goroutines of 200 and of 30,000 stacks, frames of 4 KB, two
// bundles, a cluster, a log of 190 MB, a small dump), the cost is 1.1 to 1.4 bytes for each byte of the text, of which
// report.JSON writes some 40 MB of stacks. maxReports bounds that of all reports but the last one.
const (
	maxReport     = 64 << 20
	maxReportCost = 80 << 20
	maxReports    = 80 << 20
)

// reportShape weighs a report's text before it is decoded: few bytes of hostile JSON make large values, an empty
// finding of three bytes one of 600.
var reportShape = sync.OnceValue(func() *jsonspan.Shape { return jsonspan.ShapeOf(reflect.TypeFor[schema.Report]()) })

// weighReport returns the text of a report without what follows it, and what decoding it takes.
func weighReport(data []byte) (text []byte, cost int64, err error) {
	if len(data) > maxReport {
		return nil, 0, fmt.Errorf("it is larger than %d MiB", maxReport>>20)
	}
	if !utf8.Valid(data) { // decoding makes three bytes of each that is not
		return nil, 0, errors.New("it is not UTF-8")
	}
	cost, end := reportShape().Cost(data, jsonspan.SkipSpace(data, 0))
	if cost > maxReportCost {
		return nil, 0, fmt.Errorf("its values would take more than %d MiB of memory", maxReportCost>>20)
	}
	if end >= 0 {
		data = data[:end]
	}
	return data, cost, nil
}

// decodeReport reads the JSON of a report.
func decodeReport(data []byte) (*schema.Report, error) {
	r := &schema.Report{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Schema != schema.Schema {
		return r, nil // other forms may have other words
	}
	if !r.Countable() {
		return nil, errors.New("its counts are impossible for a fleet")
	}
	for _, f := range r.AllFindings() {
		switch {
		case f.Severity.Rank() < 0:
			return nil, errors.New("unknown severity")
		case f.Confidence.Rank() < 0:
			return nil, errors.New("unknown confidence")
		}
	}
	return r, nil
}

// ReadReport reads one report that triage wrote, as JSON or as a page.
func ReadReport(from io.Reader) (*schema.Report, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxReport+1))
	if err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	text, _, err := reportText(data)
	if err != nil {
		return nil, err
	}
	return decodeReport(text)
}

// reportText returns the JSON of a report, which a page holds in a block, and what decoding it takes.
func reportText(data []byte) (text []byte, cost int64, err error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n\ufeff"), []byte("<")) {
		if data, err = schema.ReadBlock(data, schema.ReportBlock, maxReport); err != nil {
			return nil, 0, err
		}
	}
	return weighReport(data)
}

// A heldReport is a report that was found. Where there was no room for it, report is nil.
type heldReport struct {
	source ingest.Source
	path   string
	cost   int64
	report *schema.Report
}

// A reportBudget keeps the reports of the first sources, in order of the inputs, as a dumpBudget keeps dumps. It
// decodes one at a time.
type reportBudget struct {
	mu  sync.Mutex
	all []*heldReport // in order of the sources
}

// decode reads the text of a report, where it has room.
func (r *reportBudget) decode(of *heldReport, text []byte) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, _ := slices.BinarySearchFunc(r.all, of, func(a, b *heldReport) int { return a.source.Compare(b.source) })
	r.all = slices.Insert(r.all, i, of)
	before := int64(0)
	for _, h := range r.all {
		if before >= maxReports {
			h.report = nil
		} else if h == of {
			of.report, err = decodeReport(text)
		}
		before += h.cost
	}
	return err
}

// report takes a report that triage wrote, as JSON or as a page.
func (handler *sourceHandler) report(data []byte) {
	held := &heldReport{source: handler.source, path: handler.path}
	var err error
	if data, held.cost, err = reportText(data); err == nil {
		err = handler.reportBudget.decode(held, data)
	}
	if err == nil {
		handler.reports = append(handler.reports, held)
		return
	}
	handler.skips = append(handler.skips, schema.Skipped{
		Path: handler.path, Reason: fmt.Sprintf("a triage report that can't be read: %v", err),
		Hint: "write it again: triage -o json=FILE INPUT", Named: true,
	})
}

// takeReports takes over the reports that have room, once all sources were read.
func (result *Result) takeReports() {
	for _, h := range result.held {
		r := h.report
		s := schema.Skipped{Path: h.path, Named: true}
		switch {
		case r == nil:
			s.Reason = fmt.Sprintf("a triage report that was not read: the reports before it filled the memory "+
				"for reports (%d MiB)", maxReports>>20)
			s.Hint = "give triage fewer reports at a time"
		case r.Schema != schema.Schema:
			s.Reason = fmt.Sprintf("the report has the format %q; this version reads %s", r.Schema, schema.Schema)
			s.Hint = "write it again with this version"
		case r.Diff != nil:
			s.Reason = "a comparison that triage wrote, not the state of a program"
			s.Hint = "give the reports or dumps that it was made from"
		default:
			r.Distrust()
			result.Reports = append(result.Reports, schema.Saved{Path: h.path, Report: r})
			result.Skips = append(result.Skips, cutReport(h)...)
			continue
		}
		result.Skips = append(result.Skips, s)
	}
	result.held = nil
}

// inputsCut is how many inputs a report should list and does not; a merged one lists none.
func inputsCut(r *schema.Report) int {
	if r.Merged != nil {
		return 0
	}
	return r.InputsCut
}

// cutReport reports what a report itself left out.
func cutReport(h *heldReport) []schema.Skipped {
	stacks := 0
	for _, d := range h.report.Dumps {
		stacks += d.BucketsCut
	}
	var skips []schema.Skipped
	for _, cut := range []struct {
		what string
		n    int
	}{
		{"the largest stacks", stacks},
		{"the first inputs", inputsCut(h.report)},
		{"the first inputs that were not read", h.report.SkippedCut},
	} {
		if cut.n > 0 {
			skips = append(skips, schema.Skipped{
				Path:   h.path,
				Reason: fmt.Sprintf("a report that lists only %s: %s are not in it", cut.what, phrase.Number(cut.n)),
				Hint:   "give triage the input that the report was made from",
			})
		}
	}
	return skips
}
