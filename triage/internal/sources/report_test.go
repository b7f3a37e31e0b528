package sources

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

func TestAReportThatCanNotBeOneIsRefused(t *testing.T) {
	const begin = `{"schema":"triage/v1","findings":[`
	for _, tt := range []struct{ name, text, want string }{
		{"too much", begin + strings.Repeat("{},", 400_000) + "{}]}", "its values would take more than 80 MiB of memory"},
		{"too large", begin + strings.Repeat(" ", maxReport) + "]}", "it is larger than 64 MiB"},
		{"a severity", begin + `{"severity":"dire","confidence":"low"}]}`, "unknown severity"},
		{"a confidence", begin + `{"severity":"low","confidence":"sure"}]}`, "unknown confidence"},
	} {
		if err := readText(tt.text); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	if err := readText(begin + `{"severity":"low","confidence":"low"}]} more`); err != nil {
		t.Errorf("a report is refused: %v", err)
	}
}

// What decodes into a report must have a shape: Cost knows neither maps nor interfaces, nor types that embed others.
func TestEveryTypeOfAReportIsWeighed(t *testing.T) {
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		if reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			t.Errorf("%s decodes itself", of)
		}
		switch of.Kind() {
		case reflect.Map, reflect.Interface, reflect.Array:
			t.Errorf("%s has no shape", of)
		case reflect.Slice, reflect.Pointer:
			walk(of.Elem())
		case reflect.Struct:
			for f := range of.Fields() {
				if f.Anonymous {
					t.Errorf("%s embeds %s", of, f.Type)
				}
				if f.Tag.Get("json") != "-" {
					walk(f.Type)
				}
			}
		}
	}
	walk(reflect.TypeFor[schema.Report]())
}

func TestTheFirstReportsAreKeptInAnyOrderOfReading(t *testing.T) {
	const each = maxReports/2 - 1
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		budget, held := &reportBudget{}, make([]*heldReport, 4)
		for _, i := range order {
			held[i] = &heldReport{source: ingest.Source{At: []int32{int32(i)}}, cost: each}
			if err := budget.decode(held[i], []byte(`{"schema":"triage/v1"}`)); err != nil {
				t.Fatal(err)
			}
		}
		for i, h := range held {
			if kept := h.report != nil; kept != (i < 3) {
				t.Errorf("read in order %v: report %d kept: %v", order, i, kept)
			}
		}
	}
}

func TestAReportSaysWhatItLeftOut(t *testing.T) {
	r := schema.New("")
	r.InputsCut, r.SkippedCut = 7, 8
	r.Dumps = []schema.Dump{{BucketsCut: 2000}, {BucketsCut: 1}}
	result := &Result{held: []*heldReport{{path: "r.json", report: r}}}
	result.takeReports()
	var got []string
	for _, s := range result.Skips {
		got = append(got, s.Reason)
	}
	want := []string{
		"a report that lists only the largest stacks: 2,001 are not in it",
		"a report that lists only the first inputs: 7 are not in it",
		"a report that lists only the first inputs that were not read: 8 are not in it",
	}
	if !slices.Equal(got, want) || len(result.Reports) != 1 {
		t.Errorf("%d reports, %q", len(result.Reports), got)
	}
}

func readText(text string) error {
	data, _, err := weighReport([]byte(text))
	if err == nil {
		_, err = decodeReport(data)
	}
	return err
}
