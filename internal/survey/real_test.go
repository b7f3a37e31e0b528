package survey_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch/promtest"
	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/internal/survey"
)

// TestARealPrometheusGivesTheSameAnswers asks a Prometheus that has all situations, each in a namespace of its own.
func TestARealPrometheusGivesTheSameAnswers(t *testing.T) {
	var all []promtest.Proc
	wants := make([][]string, len(situations))
	for i, c := range situations {
		f := newFleet(uint64(i))
		f.procs = make([]promtest.Proc, 0, 100) // pointers into it stay
		wants[i] = append([]string{}, c.make(f)...)
		slices.Sort(wants[i])
		for _, p := range f.procs {
			p.Labels["namespace"] = fmt.Sprintf("s%d", i)
			all = append(all, p)
		}
	}
	now := time.Now().Truncate(time.Second)
	url := promtest.Start(t, all, now, time.Hour, "")
	for i, c := range situations {
		t.Run(c.name, func(t *testing.T) {
			p, err := prometheus.Ask(t.Context(), prometheus.Options{Server: url, Window: time.Hour, Until: now,
				Namespace: fmt.Sprintf("s%d", i)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wants[i], found(survey.Of(p, time.Hour, 0))); diff != "" {
				t.Error(diff)
			}
			if p.Cost.Samples == 0 || len(p.Notes) > 0 {
				t.Errorf("cost %+v, notes %q", p.Cost, p.Notes)
			}
		})
	}
}
