package convert

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// An export with its newest line first has a dump's first line below its last.
func TestEvidenceIsWithinADumpWhoseLinesFall(t *testing.T) {
	found := []rules.Finding{{Rule: "TR204", Evidence: []rules.Evidence{
		{Input: "a.jsonl", Line: 5, Goroutines: []uint64{27}},
		{Input: "a.jsonl", Line: 9, Goroutines: []uint64{1}},
	}}}
	d := &rules.DumpInput{Input: "a.jsonl", Dump: &stackparse.Dump{Line: 7, EndLine: 1},
		Locate: func(line int64) (string, int64) { return "a.jsonl", line }}
	got := IndexEvidence(found).Within(d)
	if len(got) != 1 || got[0].Evidence[0].Line != 5 {
		t.Errorf("findings within lines 7 to 1: %+v", got)
	}
}
