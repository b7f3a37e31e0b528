package triage_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// fixtureSources are the programs of testdata, each in a module of its own below one of these.
var fixtureSources = []string{"../testdata/gen", "../testdata/gen/burn"}

func TestCodeOfAFindingIsHeldAgainstTheDump(t *testing.T) {
	for _, tt := range []struct{ input, function, compared string }{
		{"../testdata/pods", "example.com/tlslistener.(*listener).expireLoop.func1",
			"line 55 is in (*listener).expireLoop and calls Gosched"},
		{"../testdata/profiles/bcrypt.pb.gz", "example.com/fixtures/burn/k8s/internal/encode.(*Login).verify",
			"line 56 is in (*Login).verify and calls CompareHashAndPassword"},
	} {
		r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{tt.input}, Source: fixtureSources})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(r.Findings, func(f rules.Finding) bool {
			return strings.HasSuffix(f.Culprit.Function, tt.function)
		})
		if i < 0 || r.Findings[i].Code == nil {
			t.Errorf("%s: no code of %s in %+v", tt.input, tt.function, r.Source)
			continue
		}
		if c := r.Findings[i].Code; c.Fits != rules.FitsYes || c.Compared != tt.compared {
			t.Errorf("%s: fits %q: %q, want %q", tt.input, c.Fits, c.Compared, tt.compared)
		}
	}
}

func TestWithoutFoldersOfSourcesAReportHasNoCode(t *testing.T) {
	r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{"../testdata/pods"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Source != nil || len(r.Findings) == 0 || r.Findings[0].Code != nil {
		t.Errorf("source %v in a report of %d findings", r.Source, len(r.Findings))
	}
}
