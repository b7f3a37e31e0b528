package report

import (
	"bufio"
	"fmt"
	"io"
	"reflect"

	"github.com/gotriage/triage/triage/schema"
)

// JSON writes r as the contract of docs/report.schema.json: one object and a line break, indented by two spaces a
// level, with short objects and arrays of numbers on one line. Equal reports give equal bytes. Arrays are never null,
// whatever r holds; r is not changed. Shares that are no number are written as 0. Strings hold what r's do, bytes
// that are no UTF-8 as U+FFFD; what a terminal would act on is there as a \u escape. It streams: memory doesn't grow
// with the report.
func JSON(w io.Writer, r *schema.Report) error {
	full := *r
	if full.Schema == "" {
		full.Schema = schema.Schema
	}
	e := encoder{w: bufio.NewWriterSize(w, 64<<10), plans: map[reflect.Type]*plan{}}
	err := e.value(reflect.ValueOf(full), 0)
	if err == nil {
		e.w.WriteByte('\n')
		err = e.w.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	return nil
}
