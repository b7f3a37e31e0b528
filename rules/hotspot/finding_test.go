package hotspot

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse/frame"
)

// foundIn is what a rule about encoding/json's stacks finds in a CPU profile.
func foundIn(t *testing.T, stacks ...string) rules.Finding {
	t.Helper()
	m := &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindCPU, Shares: Shares{Low: 0.05},
		Stacks: []match.StackMatch{{Frames: []string{"encoding/json.Marshal"}}}}}
	in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n"+strings.Join(stacks, "\n")+"\n").In
	in.Hotspots = NewBoard([]*rules.Rule{{ID: m.ID, Hotspots: m}}).Hotspots(in)
	words := &Words{Title: "{culprit} spends {share} of CPU", Why: "{function}.", Fix: "Fix it. It calls {called}."}
	found := m.Run(rules.High, rules.ConfHigh, func() *Words { return words })(&rules.Pass{
		Profiles: []*rules.ProfileInput{in}})
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	return found[0]
}

const (
	idle    = " example.com/shop/api.idle api.go:3 < net/http.HandlerFunc.ServeHTTP server.go:9"
	marshal = " encoding/json.Marshal encode.go:9 < "
	read    = "example.com/shop/api.serve api.go:8 < net/http.HandlerFunc.ServeHTTP server.go:9"
	scan    = "example.com/shop/api.other api.go:19 < net/http.HandlerFunc.ServeHTTP server.go:9"
)

func TestATitleGivesTheCulpritNoSharesOfOtherFunctions(t *testing.T) {
	f := foundIn(t, "400"+marshal+read, "300"+marshal+scan, "300"+idle)
	if f.Title != "api.serve spends 40% of CPU" {
		t.Errorf("title %q", f.Title)
	}
	if got := f.Evidence[0].Text; !strings.HasPrefix(got, "in all, 70% of CPU") || strings.Contains(got, "at least") {
		t.Errorf("evidence %q", got)
	}
	if got := f.Evidence[len(f.Evidence)-1].Text; got != "30% of CPU: api.other (api.go:19)" {
		t.Errorf("evidence %q", got)
	}
}

func TestAShareThatTheCulpritHasAloneIsSaidOnce(t *testing.T) {
	f := foundIn(t, "700"+marshal+read, "300"+idle)
	if f.Title != "api.serve spends 70% of CPU" || len(f.Evidence) != 1 {
		t.Errorf("%q: %v", f.Title, f.Evidence)
	}
}

func TestTheFunctionThatTheCulpritCallsIsNamed(t *testing.T) {
	f := foundIn(t, "700 encoding/json.encode encode.go:3 < encoding/json.Marshal encode.go:9 < "+read, "300"+idle)
	if !strings.Contains(f.Fix, "It calls json.Marshal.") {
		t.Errorf("fix %q", f.Fix)
	}
}

func TestFewSamplesSayHowLittleAShareMayBe(t *testing.T) {
	f := foundIn(t, "20"+marshal+read, "80"+idle)
	if got := f.Evidence[0].Text; !strings.Contains(got, ", at least ") {
		t.Errorf("evidence %q", got)
	}
}

func TestADeferredCallIsOfTheFunctionThatDefersIt(t *testing.T) {
	for in, want := range map[string]string{
		"example.com/shop.(*DB).Read.deferwrap1": "example.com/shop.(*DB).Read",
		"example.com/shop.(*DB).deferwrapped":    "example.com/shop.(*DB).deferwrapped",
	} {
		if got := placeOf(frame.Frame{Func: in}).Function; got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestSamplesStandBesideAShareOnlyWhereTheyAreThatShare(t *testing.T) {
	in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n700"+marshal+read+"\n300"+idle+"\n").In
	hot := &Hotspot{Selection: profile.Selection{Weight: profile.Weight{Samples: 700}}, TotalSamples: 1000, Share: 0.7, Lower: 0.68,
		Blame: &Attribution{}}
	if got := measure(in, hot); !strings.HasSuffix(got, "; 700 of 1,000 samples") {
		t.Errorf("evidence %q", got)
	}
	hot.Caused = 0.1 // on other stacks: 800 samples are not the hotspot's own
	if got := measure(in, hot); !strings.HasPrefix(got, "80% of CPU") || !strings.HasSuffix(got, "; the profile has 1,000 samples") {
		t.Errorf("evidence %q", got)
	}
}
