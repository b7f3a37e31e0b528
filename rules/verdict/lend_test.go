package verdict

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestTheRuleThatKnowsTheCauseSpeaksForTheGeneralOne(t *testing.T) {
	pass := &rules.Pass{Profiles: []*rules.ProfileInput{
		{Input: "heap-1.pb.gz", Process: "shop"}, {Input: "heap-2.pb.gz", Process: "shop"}, {Input: "other.pb.gz", Process: "mail"},
	}}
	finding := func(rule string, severity rules.Severity, input, culprit string, ids ...uint64) rules.Finding {
		return rules.Finding{Rule: rule, Name: "n", Severity: severity, Confidence: rules.ConfMedium, Title: "t",
			Culprit: rules.Place{Function: culprit}, Path: []rules.PathFrame{{Function: "shop.Count"}, {Function: culprit}},
			Evidence: []rules.Evidence{{Input: input, Goroutines: ids}}}
	}
	counted := func(f rules.Finding, function string) rules.Finding {
		f.Evidence[0].At = &rules.Place{Function: function, File: "a.go", Line: 7}
		return f
	}
	doubted := finding("TR406", rules.High, "dump.txt", "shop.get", 7)
	doubted.Confidence = rules.ConfLow
	got := LendWords([]rules.Finding{doubted, finding("TR464", rules.High, "dump.txt", "shop.put", 7)}, pass)
	if len(got) != 1 || len(got[0].Notes) > 0 {
		t.Errorf("a doubt that the source has answered stays as a note: %+v", got)
	}
	for _, tt := range []struct {
		claim          string
		exact, general rules.Finding
		joined         bool
	}{
		{"metrics that grow are the metrics", finding("TR616", rules.Medium, "heap-2.pb.gz", "shop.Count"),
			finding("TR602", rules.High, "heap-1.pb.gz", "prometheus.newMetric"), true},
		{"another process's memory is not", finding("TR616", rules.Medium, "other.pb.gz", "shop.Count"),
			finding("TR602", rules.High, "heap-1.pb.gz", "prometheus.newMetric"), false},
		{"goroutines that become more are many", finding("TR450", rules.Low, "dump.txt", "shop.feed", 7, 8),
			finding("TR413", rules.High, "dump.txt", "shop.feed", 7, 8), true},
		{"some of many may become more", finding("TR450", rules.Low, "dump.txt", "shop.feed", 7),
			finding("TR413", rules.High, "dump.txt", "shop.feed", 7, 8), false},
		{"goroutines that wait for a child wait for nothing else", finding("TR441", rules.Low, "dump.txt", "shop.run", 7, 8),
			finding("TR423", rules.High, "dump.txt", "os/exec.Wait", 8), true},
		{"those that wait beside them may", finding("TR441", rules.Low, "dump.txt", "shop.run", 7, 8),
			finding("TR423", rules.High, "dump.txt", "shop.other", 8, 9), false},
		{"goroutines that are only counted are the same where they wait in one place",
			counted(finding("TR460", rules.Medium, "p.pb", "shop.ask"), "shop.ask"),
			counted(finding("TR412", rules.High, "p.pb", "shop.ask"), "shop.ask"), true},
		{"those of another place are others", counted(finding("TR460", rules.Medium, "p.pb", "shop.ask"), "shop.ask"),
			counted(finding("TR412", rules.High, "p.pb", "shop.tell"), "shop.tell"), false},
		{"what the source only makes likely isn't lifted, and lowers nothing",
			finding("TR464", rules.Low, "dump.txt", "shop.put", 7), finding("TR406", rules.High, "dump.txt", "shop.get", 7), false},
		{"what the source proves speaks for what is as severe", finding("TR464", rules.High, "dump.txt", "shop.put", 7),
			finding("TR406", rules.High, "dump.txt", "shop.get", 7), true},
		{"findings without goroutines are no part of them", finding("TR441", rules.Low, "dump.txt", "shop.run", 7),
			finding("TR702", rules.High, "dump.txt", "shop.run"), false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got := LendWords([]rules.Finding{tt.general, tt.exact}, pass)
			if !tt.joined {
				if len(got) != 2 || got[1].Severity != tt.exact.Severity {
					t.Errorf("%d findings, of %s", len(got), got[len(got)-1].Severity)
				}
				return
			}
			if len(got) != 1 || got[0].Rule != tt.exact.Rule || got[0].Severity != rules.High || len(got[0].Notes) != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
}
