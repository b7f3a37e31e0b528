package triage_test

import (
	"context"
	"os"
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

func TestOneFindingThatTheSourceCanDecideNamesTheCommandThatReadsIt(t *testing.T) {
	const dump = "../testdata/dumps/go1.26/stuck-double-lock.txt"
	steps := func(o triage.Options) (commands []string) {
		r, err := triage.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Findings {
			for _, s := range r.Findings[i].Next {
				if strings.Contains(s.Command, "--source") {
					commands = append(commands, s.Command)
				}
			}
		}
		return commands
	}
	piped, err := os.Open(dump)
	if err != nil {
		t.Fatal(err)
	}
	defer piped.Close()
	many := []string{dump}
	for _, name := range []string{"abba", "double-lock", "reader-recursion", "send-under-lock"} {
		many = append(many, "../testdata/dumps/go1.18/stuck-"+name+".txt")
	}
	for _, c := range []struct {
		claim   string
		options triage.Options
		want    string
	}{
		{"a lock that is likely its own", triage.Options{Inputs: []string{dump}}, "triage --source DIR " + dump},
		{"what was piped has no name", triage.Options{Inputs: []string{"-"}, Stdin: piped}, "triage --source DIR FILE"},
		{"once a report", triage.Options{Inputs: many[:3]}, "triage --source DIR " + strings.Join(many[:3], " ")},
		{"a command stays short", triage.Options{Inputs: many}, "triage --source DIR INPUTS"},
		{"the source is there", triage.Options{Inputs: []string{dump}, Source: []string{"../testdata/gen"}}, ""},
		{"a spin shows itself", triage.Options{Inputs: []string{"../testdata/pods"}}, ""},
		{"a crash names its cause", triage.Options{Inputs: []string{"../testdata/dumps/go1.12/crash-close-nil.txt"}}, ""},
	} {
		if got := strings.Join(steps(c.options), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.claim, got, c.want)
		}
	}
}
