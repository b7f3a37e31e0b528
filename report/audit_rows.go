package report

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gotriage/triage/triage/schema"
)

// An AuditWriter writes rows of a timeline for programs, one at a time: memory doesn't grow with them.
type AuditWriter struct {
	Row   func(*schema.Row) error
	Flush func() error // ends the writing; its error is the first of all
}

// NewAuditCSV writes the columns' names, then a line a row. Fields that a spreadsheet would take for a formula begin
// with an apostrophe; control characters are escaped.
func NewAuditCSV(to io.Writer, columns []string) (*AuditWriter, error) {
	cols, err := chosen(columns)
	if err != nil {
		return nil, err
	}
	w := csv.NewWriter(to)
	if err := w.Write(columns); err != nil {
		return nil, fmt.Errorf("writing CSV: %w", err)
	}
	before := int64(0)
	fields := make([]string, len(cols))
	return &AuditWriter{
		Row: func(row *schema.Row) error {
			r := auditRow{Row: row, before: before, days: true}
			before = row.Time
			for i, c := range cols {
				f := c.value
				if f == nil {
					f = c.text
				}
				fields[i] = csvField(f(&r))
			}
			return w.Write(fields)
		},
		Flush: func() error {
			w.Flush()
			if err := w.Error(); err != nil {
				return fmt.Errorf("writing CSV: %w", err)
			}
			return nil
		},
	}, nil
}

func csvField(s string) string {
	s = Escape(s)
	if s != "" && strings.IndexByte("=+-@", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// auditLine is a row as JSON; fields are only ever added.
type auditLine struct {
	Time    string   `json:"time"`
	DeltaMS *float64 `json:"delta_ms"` // since the row before; null for the first
	*schema.Row
	TookMS   float64         `json:"took_ms"`
	Compared bool            `json:"compared"` // bodies are compared: without changes nothing changed
	Changes  []schema.Change `json:"changes"`
	ID       string          `json:"id"`
	Input    string          `json:"input"`
	Line     int64           `json:"line"`
}

// NewAuditJSON writes one JSON object a line.
func NewAuditJSON(to io.Writer) *AuditWriter {
	w := bufio.NewWriter(to)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	before := int64(0)
	return &AuditWriter{
		Row: func(r *schema.Row) error {
			l := auditLine{
				Time: moments(r.Time), Row: r, TookMS: float64(r.Took) / 1000, Compared: r.Compared,
				Changes: append([]schema.Change{}, r.Changes...), ID: r.ID, Input: r.Place.Path, Line: r.Place.Line,
			}
			if before != 0 {
				d := float64(r.Time-before) / 1000
				l.DeltaMS = &d
			}
			before = r.Time
			return enc.Encode(l)
		},
		Flush: func() error {
			if err := w.Flush(); err != nil {
				return fmt.Errorf("writing JSON lines: %w", err)
			}
			return nil
		},
	}
}
