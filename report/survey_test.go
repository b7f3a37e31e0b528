package report_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// surveyed is a fleet in which a pod leaks, a workload crashes, one leads, and targets are down.
func surveyed() *schema.Survey {
	leak := schema.OddProcess{
		SurveyName: schema.SurveyName{Cluster: "prod", Namespace: "shop", Workload: "web", Revision: "5c9d8f7b6",
			Pod: "web-5c9d8f7b6-x2x7k", Container: "app", Job: "shop/web", Instance: "10.0.0.7:8080"},
		Severity: rules.High, Confidence: rules.ConfMedium,
		Reasons: []schema.OddReason{
			{Metric: "goroutines", Value: 27410, Before: 240, Others: 11, Low: 180, High: 240,
				Why: "27,410 goroutines, up from 240 in 1 h; the other 11 pods of web have 180 to 240."},
			{Metric: "memory", Value: 2.4e9, Before: 4e8, Others: 11, Low: 3.5e8, High: 4.6e8,
				Why: "2.4 GB of memory, up from 400 MB in 1 h; the other 11 pods of web have 350 MB to 460 MB."},
		},
		Next: []rules.Step{rules.Command("triage fetch pod/web-5c9d8f7b6-x2x7k -n shop -c app --port 8080").
			Note("if its metrics port serves pprof: a CPU profile (10 s) and three dumps")},
	}
	whole := schema.OddProcess{
		SurveyName: schema.SurveyName{Namespace: "shop", Workload: "cart", Pod: "cart-2", Job: "shop/cart"}, Whole: true,
		Severity: rules.Medium, Confidence: rules.ConfMedium,
		Reasons: []schema.OddReason{{Metric: "restarts", Value: 4, Before: -1, Others: 4, High: 4,
			Why: "4 of 5 pods of cart restarted, 11 times in all, in 1 h."}},
		Next: []rules.Step{rules.Command("kubectl triage cart-2 -n shop").Note("its logs, events and objects")},
	}
	leads := schema.OddProcess{
		SurveyName: schema.SurveyName{Workload: "batch", Job: "batch", Instance: "vm-3.example.com:9100"},
		Severity:   rules.Medium, Confidence: rules.ConfLow,
		Against: "It was as high before: it may be the leader, or have more work.",
		Reasons: []schema.OddReason{{Metric: "cores", Value: 0.4, Before: 0.4, Others: 2, Low: 0.004, High: 0.005,
			Why: "0.4 cores; the other 2 processes of batch have 0.004 to 0.005."}},
		Next: []rules.Step{rules.Command("triage fetch http://vm-3.example.com:9100")},
	}
	return &schema.Survey{
		Schema: schema.SurveySchema, Tool: schema.Tool{Name: "triage", Version: "v0.1.0"}, Server: "prometheus:9090",
		Time: "2026-11-29T10:00:00Z", Window: 3600, Processes: 3012, Workloads: 251, Alone: 34, Steady: 1,
		Odd: []schema.OddProcess{leak, whole, leads}, OddTotal: 5, OddLikely: 2, DownTotal: 1, DownOther: 3,
		Down: []schema.DownWorkload{{
			SurveyName: schema.SurveyName{Namespace: "shop", Workload: "pay", Pod: "pay-0", Job: "shop/pay"},
			Targets:    2, Of: 3, Error: "Get \"http://10.0.0.9:8080/metrics\": connect: connection refused",
			Next: []rules.Step{rules.Command("kubectl triage pay-0 -n shop").Note("its logs, events and objects")}}},
		Notes: []string{"3 series with a label of more than 300 bytes were left out"},
		Cost:  schema.SurveyCost{Queries: 5, Series: 27_108, Bytes: 12_345_678, Samples: 1_200_000, Seconds: 0.81},
	}
}

func surveyText(t *testing.T, s *schema.Survey, o report.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.SurveyText(&b, s, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestASurveyFitsItsWidth(t *testing.T) {
	for _, w := range []int{80, 200} {
		got := surveyText(t, surveyed(), report.TextOptions{Width: w})
		golden(t, fmt.Sprintf("survey.%d.txt", w), got)
		for line := range strings.Lines(got) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > w {
				t.Errorf("%d columns, more than %d: %s", n, w, line)
			}
		}
	}
	none := &schema.Survey{Processes: 12, Workloads: 2, Server: "prometheus:9090", Window: 3600}
	if got := surveyText(t, none, report.TextOptions{}); !strings.Contains(got, "NOTHING FOUND  no process differs") {
		t.Error(got)
	}
	none.DownTotal, none.Down = 1, surveyed().Down
	got := surveyText(t, none, report.TextOptions{})
	down, nothing := strings.Index(got, "\nDOWN "), strings.Index(got, "\nNOTHING ELSE  no other process differs")
	if down < 0 || nothing < down {
		t.Errorf("what is down does not come first:\n%s", got)
	}
	none.Notes = []string{"growth is unknown"}
	if got := surveyText(t, none, report.TextOptions{Width: 200}); !strings.Contains(got, ", as far as") {
		t.Error(got)
	}
}

func TestSurveyJSONIsWhatItsSchemaSays(t *testing.T) {
	data, err := os.ReadFile("../docs/fleet.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiled := compile(t, closed(doc))
	var b bytes.Buffer
	if err := report.Indented(&b, surveyed()); err != nil {
		t.Fatal(err)
	}
	if err := validate(t, compiled, b.Bytes()); err != nil {
		t.Error(err)
	}
	other := bytes.Replace(b.Bytes(), []byte(`"odd_total"`), []byte(`"odd_totals"`), 1)
	if err := validate(t, compiled, other); err == nil {
		t.Error("another name is taken")
	}
}

func TestHostileNamesOfASurveyReachNoTerminal(t *testing.T) {
	name := schema.SurveyName{Cluster: nasty, Namespace: nasty, Workload: nasty, Pod: nasty, Job: nasty, Instance: nasty}
	s := &schema.Survey{Server: nasty, Namespace: nasty, Query: nasty, Notes: []string{nasty}, OddTotal: 1, DownTotal: 1,
		Odd: []schema.OddProcess{{SurveyName: name, Whole: true, Against: nasty, Severity: nasty, Confidence: rules.ConfLow,
			Reasons: []schema.OddReason{{Why: nasty}}, Next: []rules.Step{rules.Command(nasty).Note(nasty)}}},
		Down: []schema.DownWorkload{{SurveyName: name, Error: nasty}}}
	var b bytes.Buffer
	if err := report.Indented(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{
		b.String(), surveyText(t, s, report.TextOptions{}), surveyText(t, s, report.TextOptions{Width: 1, ASCII: true}),
	} {
		if strings.ContainsAny(got, "\x1b\x07\x00\x7f\u202e\u009b\u200b") {
			t.Errorf("%q", got)
		}
	}
}
