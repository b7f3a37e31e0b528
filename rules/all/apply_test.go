package all

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A library's user may fill in parts of a Pass only: no rule panics over it, and none speaks of what is not there.
func TestRulesOverPartialPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	bare := func() *rules.DumpInput { return &rules.DumpInput{Dump: &stackparse.Dump{}} }
	var dumps []*rules.DumpInput // without roles, waits, Locate and program
	for _, fx := range dumpFixtures(t) {
		for _, d := range fx.dumps {
			dumps = append(dumps, &rules.DumpInput{Dump: d.Dump, Input: d.Input, Process: fx.name})
		}
	}
	var profiles []*rules.ProfileInput // without claims, path and process
	for _, fx := range profileFixtures(t) {
		profiles = append(profiles, &rules.ProfileInput{View: fx.In.View})
	}
	for name, p := range map[string]*rules.Pass{
		"nothing": {},
		"lists of nothing": {Dumps: []*rules.DumpInput{}, Series: []*rules.Series{}, Profiles: []*rules.ProfileInput{},
			Logs: []*rules.LogInput{}},
		"empty values": {Dumps: []*rules.DumpInput{bare()}, Logs: []*rules.LogInput{{Log: &logpattern.Log{}}},
			Cluster: &kube.Cluster{}, Audit: &audit.Trail{}},
		"one goroutine": {Dumps: []*rules.DumpInput{{Dump: &stackparse.Dump{Goroutines: 1,
			Buckets: []*stackparse.Bucket{{Count: 1}}}}}},
		"an empty profile":        {Profiles: []*rules.ProfileInput{{View: profile.NewView(&profile.Profile{Kind: profile.KindCPU})}}},
		"a view of no profile":    {Profiles: []*rules.ProfileInput{{View: &profile.View{}}}},
		"series of nothing":       {Dumps: dumps[:2], Series: []*rules.Series{{}, nil}},
		"dumps without roles":     {Dumps: dumps},
		"one dump without roles":  {Dumps: dumps[:1]},
		"profiles without claims": {Profiles: profiles},
	} {
		for _, r := range Rules() {
			t.Run(fmt.Sprintf("%s/%s", name, r.ID), func(t *testing.T) {
				found := r.Apply(p)
				if r.Missing(p) != 0 && found != nil {
					t.Errorf("%d findings over a Pass without %s", len(found), r.Missing(p))
				}
				if slices.Contains([]string{"nothing", "lists of nothing", "empty values"}, name) && len(found) > 0 {
					t.Errorf("%d findings", len(found))
				}
			})
		}
	}
}
