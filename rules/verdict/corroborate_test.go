package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// spinner is a dump with a goroutine that polls the clock and one that is merely runnable.
const spinner = `goroutine 7 [runnable]:
time.Now()
	/usr/local/go/src/time/time.go:1158 +0x1d
example.com/shop/internal/pace.(*Pacer).until(0xc000010000, 0x5)
	/src/shop/internal/pace/pace.go:31 +0x40
example.com/shop/internal/pace.(*Pacer).Run(0xc000010000)
	/src/shop/internal/pace/pace.go:20 +0x33
created by main.main in goroutine 1
	/src/shop/main.go:14 +0x85

goroutine 8 [runnable]:
example.com/shop/internal/rare.(*Job).step(0xc000010040)
	/src/shop/internal/rare/rare.go:9 +0x40
created by main.main in goroutine 1
	/src/shop/main.go:15 +0x85
`

// sameProcessInputs is that dump and a CPU profile of its process, in which share of 1,000 samples read the clock.
func sameProcessInputs(t *testing.T, share int64) (*rules.DumpInput, *rules.ProfileInput) {
	t.Helper()
	var d *rules.DumpInput
	parser := stackparse.NewParser(func(dump *stackparse.Dump) {
		d = &rules.DumpInput{Dump: dump, Input: "dump.txt", Process: "process 1", Locate: func(n int64) (string, int64) { return "dump.txt", n },
			Roles: make([]*rules.Role, len(dump.Buckets))}
	})
	for i, line := range strings.Split(spinner, "\n") {
		parser.Line([]byte(line), int64(i+1), nil)
	}
	parser.Close()
	if d == nil {
		t.Fatal("no dump")
	}
	p := &profile.Profile{
		Kind: profile.KindCPU, Types: []profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, Value: 1,
		Functions: []profile.Function{{Name: "time.Now", File: "time/time.go"}, {Name: "example.com/shop/internal/pace.(*Pacer).until", File: "/src/shop/internal/pace/pace.go"},
			{Name: "example.com/shop/internal/job.Do", File: "/src/shop/internal/job/job.go"}},
		Frames: []profile.Frame{{Func: 0, Line: 1158}, {Func: 1, Line: 31}, {Func: 2, Line: 8}},
		Stacks: []profile.Stack{
			{Frames: []int32{0, 1}, Values: []int64{share, share * 1e7}, Samples: share},
			{Frames: []int32{2}, Values: []int64{1000 - share, (1000 - share) * 1e7}, Samples: 1000 - share},
		},
		Labels: []profile.LabelSet{{}}, Duration: 10 * time.Second, Runtime: profile.RuntimeGo,
	}
	return d, &rules.ProfileInput{View: profile.NewView(p), Input: "cpu.pb.gz", Process: "process 1"}
}

func accusing(input string, goroutines ...uint64) rules.Finding {
	return rules.Finding{
		Category: rules.Spin, Confidence: rules.ConfMedium, Culprit: rules.Place{Function: "example.com/shop/internal/pace.(*Pacer).until"},
		Evidence: []rules.Evidence{{Input: input, Goroutines: goroutines, Count: 1}},
	}
}

func TestAProfileConfirmsTheSpinnerOfADump(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	found := []rules.Finding{accusing("dump.txt", 7)}
	found = Corroborate(found, pass)
	if f := found[0]; f.Confidence != rules.ConfHigh || len(f.Evidence) != 2 || f.Evidence[1].Input != "cpu.pb.gz" || !strings.Contains(f.Notes[0], "60%") {
		t.Errorf("%+v", f)
	}
}

func TestAProfileWithoutItsSamplesConfirmsNothing(t *testing.T) {
	d, p := sameProcessInputs(t, 10)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	found := []rules.Finding{accusing("dump.txt", 7)}
	if found = Corroborate(found, pass); found[0].Confidence != rules.ConfMedium {
		t.Errorf("1 %% of the samples confirms: %+v", found[0])
	}
	p.Process, found = "process 2", []rules.Finding{accusing("dump.txt", 7)}
	p.Stacks[0].Samples = 900
	if found = Corroborate(found, pass); found[0].Confidence != rules.ConfMedium {
		t.Errorf("another process's profile confirms: %+v", found[0])
	}
}

func TestADumpConfirmsWhatAProfileAccuses(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	found := []rules.Finding{accusing("cpu.pb.gz")}
	found = Corroborate(found, &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}})
	if f := found[0]; f.Confidence != rules.ConfHigh || len(f.Evidence) != 2 || !slices.Equal(f.Evidence[1].Goroutines, []uint64{7}) {
		t.Errorf("%+v", f)
	}
	doubted := accusing("cpu.pb.gz")
	doubted.Confidence, doubted.Against = rules.ConfLow, []string{"Programs sort for a living"}
	found = Corroborate([]rules.Finding{doubted}, &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}})
	if found[0].Confidence != rules.ConfLow {
		t.Errorf("a dump of the same work made it surer: %+v", found[0])
	}
}

func TestASpinThatBothAccuseIsOneFinding(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	scheduler := accusing("cpu.pb.gz")
	scheduler.Culprit = rules.Place{} // no stack shows who spins
	for _, second := range []rules.Finding{accusing("cpu.pb.gz"), scheduler} {
		found := Corroborate([]rules.Finding{accusing("dump.txt", 7), second}, pass)
		if len(found) != 1 || found[0].Confidence != rules.ConfHigh || len(found[0].Evidence) != 2 || found[0].Evidence[0].Input != "dump.txt" {
			t.Errorf("%s: %+v", second.Culprit.Function, found)
		}
	}
	other := accusing("cpu.pb.gz")
	other.Culprit.Function = "example.com/shop/internal/rare.(*Job).step"
	if found := Corroborate([]rules.Finding{accusing("dump.txt", 7), other}, pass); len(found) != 2 {
		t.Errorf("two functions spin, and %d are found", len(found))
	}
}

func TestAFunctionWithoutSamplesIsUnsampled(t *testing.T) {
	_, p := sameProcessInputs(t, 600)
	profiles := []*rules.ProfileInput{p}
	if n, absent := Unsampled(profiles, "process 1", "example.com/shop/internal/rare.(*Job).step"); n != 1000 || !absent {
		t.Errorf("without a sample: %d samples, absent %v", n, absent)
	}
	if _, absent := Unsampled(profiles, "process 1", "example.com/shop/internal/job.Do"); absent {
		t.Error("a function with samples is unsampled")
	}
	if _, absent := Unsampled(profiles, "process 2", "example.com/shop/internal/rare.(*Job).step"); absent {
		t.Error("a profile of another process takes suspicion off")
	}
}
