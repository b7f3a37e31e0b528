package report_test

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// ofPods is a report on two pods with a finding about the first.
func ofPods() *schema.Report {
	r := spinReport()
	r.Inputs = append(r.Inputs, schema.Input{Path: "web.log", Kind: "pod-log", Namespace: "shop", Pod: "web-0", Container: "app"})
	return r
}

func TestHeadlineNamesWhoWhatAndTheLine(t *testing.T) {
	what := "certs.(*listener).Refresh.func1 spins on runtime.Gosched (listener.go:168)"
	for name, c := range map[string]struct {
		change func(*schema.Report)
		want   string
	}{
		"two pods": {func(*schema.Report) {}, "shop/manager-0 (manager): " + what},
		"one pod":  {func(r *schema.Report) { r.Inputs = r.Inputs[:1] }, what},
		"several pods show it": {func(r *schema.Report) {
			r.Findings[0].Pods = []rules.PodCount{{Namespace: "shop", Pod: "web-2", Container: "app"}, {Namespace: "shop", Pod: "web-0"}}
			r.Findings[0].PodsTotal = 3
		}, "shop/web-2 (app) and 2 more pods: " + what},
		"the title names the pod": {func(r *schema.Report) { r.Findings[0].Title = "manager-0 spins" },
			"manager-0 spins (listener.go:168)"},
		"an object": {func(r *schema.Report) {
			f := &r.Findings[0]
			f.Object, f.Culprit, f.Path = &rules.Object{Kind: "Deployment", Namespace: "shop", Name: "web"}, rules.Place{}, nil
			f.Title = "Deployment web crashes again and again"
		}, "Deployment shop/web crashes again and again"},
		"an object with a long name": {func(r *schema.Report) {
			f := &r.Findings[0]
			f.Object = &rules.Object{Kind: "PersistentVolumeClaim", Namespace: "monitoring",
				Name: "prometheus-rancher-monitoring-prometheus-db-prometheus-rancher-monitoring-prometheus-0"}
			f.Culprit, f.Path = rules.Place{}, nil
			f.Title = "PersistentVolumeClaim prometheus-rancher-monitori…er-monitoring-prometheus-0 is being deleted in use"
		}, "PersistentVolumeClaim monitoring/prometheus-rancher-monitoring-prometheus-db-prometheus-rancher-monitoring-" +
			"prometheus-0 is being deleted in use"},
		"an actor that the title leaves out": {func(r *schema.Report) {
			f := &r.Findings[0]
			f.Object, f.Culprit, f.Path = &rules.Object{Kind: "ConfigMap", Namespace: "shop", Name: "prices"}, rules.Place{}, nil
			f.Title, f.Actors = "ConfigMap prices is written 20 times", []string{"system:serviceaccount:shop:agent"}
		}, "ConfigMap shop/prices is written 20 times (by shop/agent)"},
		"a suspect": {func(r *schema.Report) {
			r.Findings, r.Leads = nil, []schema.Lead{{Rank: 1, Certainty: schema.OnlySuspect,
				Title: "2,000 goroutines receive in main.serve (main.go:12)"}}
		}, "Look first: 2,000 goroutines receive in main.serve (main.go:12)"},
		"a finding of low confidence": {func(r *schema.Report) { r.Findings[0].Confidence = rules.ConfLow },
			"Likely: shop/manager-0 (manager): " + what},
		"a finding that something speaks against": {func(r *schema.Report) {
			r.Findings[0].Confidence, r.Findings[0].Against = rules.ConfLow, []string{"It may be at work."}
		}, "Possible: shop/manager-0 (manager): " + what},
		"nothing": {func(r *schema.Report) { r.Findings = nil },
			"Nothing found: nothing stands out in 2,764 goroutines"},
	} {
		r := ofPods()
		c.change(r)
		if got := report.Headline(r); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
		word, sentence, doubtful := strings.Cut(c.want, ": ")
		if want := strings.ToUpper(word) + "  " + sentence; doubtful && r.Leads != nil || strings.HasPrefix(want, "NOTHING") {
			c.want = collapse(want)
		} else if doubtful && r.Findings[0].Confidence == rules.ConfLow {
			c.want = collapse(want)
		}
		if brief := collapse(text(t, r, report.TextOptions{Width: 100, Brief: true})); !strings.Contains(brief, c.want) &&
			!strings.Contains(strings.ReplaceAll(brief, "/ ", "/"), c.want) { // a long name has a line of its own
			t.Errorf("%s: the brief report doesn't say %q:\n%s", name, c.want, brief)
		}
	}
}
