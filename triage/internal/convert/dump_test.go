package convert

import (
	"slices"
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

func TestUnparsedLinesAboveAHeaderAreOfItsGoroutine(t *testing.T) {
	d := &stackparse.Dump{Line: 1, EndLine: 90,
		Unparsed: []stackparse.UnparsedLine{{Line: 2}, {Line: 17}, {Line: 28}, {Line: 29}, {Line: 48}, {Line: 90}},
		Buckets: []*stackparse.Bucket{{Goroutines: []stackparse.Goroutine{{ID: 7, Line: 3}, {ID: 9, Line: 50}}},
			{Goroutines: []stackparse.Goroutine{{ID: 8, Line: 30}}}}}
	// 17 is amid a stack, 28 and 29 are above the header in line 30; between 48 and the header in line 50 is another line.
	if got := beside(d); !slices.Equal(got, []uint64{7, 7, 8, 8, 8, 9}) {
		t.Errorf("goroutines %v", got)
	}
}

func TestAnUnparsedLineIsOfTheGoroutineBeforeIt(t *testing.T) {
	d := &stackparse.Dump{Line: 1, EndLine: 90,
		Unparsed: []stackparse.UnparsedLine{{Line: 2}, {Line: 31}, {Line: 32}, {Line: 61}},
		Buckets: []*stackparse.Bucket{{Goroutines: []stackparse.Goroutine{{ID: 7, Line: 30}, {ID: 9, Line: 70}}},
			{Goroutines: []stackparse.Goroutine{{ID: 8, Line: 50}, {ID: 6, Line: 20}}}}}
	if got := beside(d); !slices.Equal(got, []uint64{0, 7, 7, 8}) {
		t.Errorf("goroutines %v", got)
	}
	d.Line, d.EndLine = 90, 1
	if got := beside(d); !slices.Equal(got, []uint64{0, 0, 0, 0}) {
		t.Errorf("an export with its newest line first: %v", got)
	}
}
