package pods

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

func TestSeveralLinesAboutOneCrashAreOneCrash(t *testing.T) {
	pod := func(name, input string) *rules.DumpInput {
		return &rules.DumpInput{Dump: &stackparse.Dump{Line: 7, EndLine: 40}, Input: input, Target: rules.Target{Namespace: "shop", Pod: name, Container: "app"}}
	}
	dumps := []*rules.DumpInput{pod("web-0", "a.log"), pod("web-1", "b.log"), pod("web-1", "c.log")}
	evidence := []rules.Evidence{{Input: "a.log", Line: 7, Count: 1}, {Input: "b.log", Line: 7, Count: 1}, {Input: "c.log", Line: 7, Count: 3}, {Input: "a.log", Line: 9, Count: 1}}
	crash := []rules.Finding{{Category: rules.Crash, Evidence: evidence, Count: 5}, {Category: rules.Leak, Evidence: evidence, Count: 6}}
	IndexDumps(dumps).Attribute(crash)
	if got := crash[0].Pods; len(got) != 2 || got[0].Count != 1 || got[1].Count != 4 {
		t.Errorf("%+v: one crash of web-0, four of web-1", got)
	}
	if got := crash[1].Pods; len(got) != 2 || got[0].Count != 2 || got[1].Count != 3 {
		t.Errorf("near: goroutines add up within a dump: %+v", got)
	}
}
