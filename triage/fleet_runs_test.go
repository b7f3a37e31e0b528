package triage

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func TestHealthyReplicasAreAlike(t *testing.T) {
	dumps := captures.Dumps(t, "../testdata/dumps", "go1.18", "go1.26")
	for _, release := range []string{"go1.18", "go1.26"} {
		for _, kind := range strings.Fields("http workers tickers pipeline json keepalive fanout condqueue ratelimit cache") {
			files, err := filepath.Glob(filepath.Join(dumps, release, "healthy-"+kind+"*.txt"))
			if err != nil || len(files) != 3 {
				t.Fatalf("%s: %v files, %v", kind, files, err)
			}
			r, err := Run(t.Context(), Options{Inputs: files})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Fleet) != 1 || r.Fleet[0].Compared != 3 {
				t.Errorf("%s %s: not one fleet of three: %+v", release, kind, r.Fleet)
			}
			for _, f := range r.Fleet {
				for _, o := range f.Odd {
					t.Errorf("%s %s: %s differs: %s", release, kind, o.Input, o.Why)
				}
			}
		}
	}
}

const podsFleet = "../testdata/pods-fleet"

func TestTheReplicaThatLeaksDiffersFromTheLeader(t *testing.T) {
	r, err := Run(t.Context(), Options{Inputs: []string{podsFleet}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Fleet) != 1 || r.Fleet[0].Workload != "harbor-registry" || len(r.Fleet[0].Replicas) != 4 || r.Fleet[0].Compared != 3 {
		t.Fatalf("%+v", r.Fleet)
	}
	f := r.Fleet[0]
	if !f.Replicas[0].Leader || f.Replicas[1].Leader || f.Replicas[3].Leader {
		t.Errorf("leaders: %+v", f.Replicas)
	}
	if len(f.Odd) != 1 || !strings.HasSuffix(f.Odd[0].Pod, "-zt7hn") || !strings.Contains(f.Odd[0].Why, "announce.func1") {
		t.Errorf("odd: %+v", f.Odd)
	}
}

// TestTheReportDoesNotDependOnTheOrderOfInputs gives the same files in every order.
func TestTheReportDoesNotDependOnTheOrderOfInputs(t *testing.T) {
	pods, err := filepath.Glob(podsFleet + "/*/registry/0.log")
	if err != nil || len(pods) != 4 {
		t.Fatal(pods, err)
	}
	spins := []string{"../testdata/dumps/go1.26/spin-gosched.txt", "../testdata/dumps/go1.26/spin-gosched-2.txt", "../testdata/dumps/go1.22/spin-gosched.txt"}
	for _, files := range [][]string{pods, spins} {
		var first string
		for _, order := range orders(files) {
			r, err := Run(t.Context(), Options{Inputs: order})
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(struct {
				Findings []rules.Finding
				Fleet    []schema.Fleet
				Rules    schema.RuleCounts
			}{r.Findings, r.Fleet, r.Rules}, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(got)
			}
			if diff := cmp.Diff(first, string(got)); diff != "" {
				t.Fatalf("order %q (-first +this):\n%s", order, diff)
			}
		}
	}
}

// orders are all orders of list.
func orders(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	var all [][]string
	for i := range list {
		rest := slices.Delete(slices.Clone(list), i, i+1)
		for _, o := range orders(rest) {
			all = append(all, append([]string{list[i]}, o...))
		}
	}
	return all
}
