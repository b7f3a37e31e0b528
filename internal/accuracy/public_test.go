package accuracy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const (
	publicDir = testdata + "/public"
	// publicEnv names a folder of further cases in the form of those in testdata/public.
	publicEnv = "TRIAGE_PUBLIC"
)

func TestInputsInTheShapesOfPublicReportsAreReadRight(t *testing.T) {
	dirs := []string{publicDir}
	if more := os.Getenv(publicEnv); more != "" {
		dirs = append(dirs, more)
	} else {
		t.Logf("%s is not set: only the cases of this repository are judged", publicEnv)
	}
	for _, dir := range dirs {
		cases, err := captures.ReadCases(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			t.Run(cases[i].Name, func(t *testing.T) { judgePublic(t, &cases[i]) })
		}
	}
}

// judgePublic checks that the first lead or a finding of enough severity is right, that nothing else is accused, and
// that the report does not say what it must not.
func judgePublic(t *testing.T, c *captures.Case) {
	var files []string
	for _, name := range c.Inputs {
		files = append(files, filepath.Join(c.Dir, name))
	}
	book, err := triage.LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, l := run(t, &book, files, nil), labelOf(c, c.Kind)
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case l.isHealthy() && l.alarms(f):
			t.Errorf("a healthy input has an alarm: %s", findingLine(f))
		case !l.isHealthy() && l.accuses(f):
			t.Errorf("another place is accused: %s", findingLine(f))
		}
	}
	if !l.isHealthy() && !l.found(r) {
		t.Errorf("the root cause %+v is not what comes first: %s", c.RootCause, publicText(t, r))
	}
	text := publicText(t, r)
	for _, phrase := range c.MustNotSay {
		if strings.Contains(text, phrase) {
			t.Errorf("the report says %q:\n%s", phrase, text)
		}
	}
}

// found reports whether the first finding names the root cause with enough severity, or the first lead is there.
func (l *label) found(r *schema.Report) bool {
	if len(r.Findings) > 0 {
		f := &r.Findings[0]
		return l.names(f) && f.Severity.Rank() >= l.least.Rank()
	}
	return l.least.Rank() <= rules.Medium.Rank() && l.leadIn(r) == 1
}

func publicText(t *testing.T, r *schema.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
