package triage

import (
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/sources"
)

// passOf reads files as Run does, up to the rules.
func passOf(t *testing.T, inputs ...string) *rules.Pass {
	t.Helper()
	book, err := LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	results, skips := sources.ReadAll(t.Context(), sources.Options{Inputs: inputs})
	if len(skips) > 0 {
		t.Fatalf("skipped: %+v", skips)
	}
	return newPass(results[0], book)
}

func TestTheTwoDumpFormatsOfOneProcessAreOfOneProcess(t *testing.T) {
	pass := passOf(t, captures.Unpack(t, "../testdata/dumps/go1.26.tar.zst", "zoo-debug2.txt")+"/zoo-debug2.txt",
		"../testdata/dumps/go1.26/zoo-signal.txt")
	if len(pass.Dumps) != 2 || pass.Dumps[0].Process == "" || pass.Dumps[0].Process != pass.Dumps[1].Process {
		t.Errorf("processes %q and %q, want one", pass.Dumps[0].Process, pass.Dumps[1].Process)
	}
}

func TestDumpsOfOneProgramInTwoProcessesAreTwo(t *testing.T) {
	pass := passOf(t, captures.Unpack(t, "../testdata/dumps/go1.22.tar.zst", "zoo-debug2.txt")+"/zoo-debug2.txt",
		"../testdata/dumps/go1.26/zoo-signal.txt")
	if len(pass.Dumps) != 2 || pass.Dumps[0].Process != "" || pass.Dumps[1].Process != "" {
		t.Errorf("processes %q and %q, want both unknown", pass.Dumps[0].Process, pass.Dumps[1].Process)
	}
}
