package report_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

func TestAReportOfVeryManyInputsListsSomeAndCountsTheOthers(t *testing.T) {
	r := schema.New("v0")
	r.Inputs, r.Skipped = make([]schema.Input, 50_007), make([]schema.Skipped, 50_001)
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var got schema.Report
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Inputs) != 50_000 || got.InputsCut != 7 || len(got.Skipped) != 50_000 || got.SkippedCut != 1 {
		t.Errorf("%d inputs, %d cut; %d skipped, %d cut", len(got.Inputs), got.InputsCut, len(got.Skipped), got.SkippedCut)
	}
	if len(r.Inputs) != 50_007 {
		t.Error("the report was changed")
	}
}
