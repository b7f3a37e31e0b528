package schema

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestDistrust_MarksWhatChangesWhereverAStrangerWroteIt(t *testing.T) {
	finding := func() rules.Finding { return rules.Finding{Next: []rules.Step{{Command: "kubectl delete pod web-0"}}} }
	lead := func() Lead { return Lead{Next: []rules.Step{{Command: "kubectl delete pod web-0"}}} }
	r := &Report{
		Findings: []rules.Finding{finding()}, Leads: []Lead{lead()}, Ignored: []Ignored{{Finding: finding()}},
		Baseline: &Baseline{Findings: []rules.Finding{finding()}, Leads: []Lead{lead()}},
	}
	r.Distrust()
	for i, steps := range [][]rules.Step{r.Findings[0].Next, r.Leads[0].Next, r.Ignored[0].Finding.Next,
		r.Baseline.Findings[0].Next, r.Baseline.Leads[0].Next} {
		if !steps[0].Changes {
			t.Errorf("%d: %+v is not marked", i, steps[0])
		}
	}
}
