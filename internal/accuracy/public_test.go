package accuracy

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// A publicCase is a case.json of inputs in the shapes of public reports.
type publicCase struct {
	label
	Inputs     []string `json:"inputs"`
	MustNotSay []string `json:"must_not_say"`
}

func TestInputsInTheShapesOfPublicReportsAreReadRight(t *testing.T) {
	dirs := []string{publicDir}
	if more := os.Getenv(publicEnv); more != "" {
		dirs = append(dirs, more)
	} else {
		t.Logf("%s is not set: only the cases of this repository are judged", publicEnv)
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", dir, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { judgePublic(t, file) })
		}
	}
}

// judgePublic checks that the first lead or a finding of enough severity is right, that nothing else is accused, and
// that the report does not say what it must not.
func judgePublic(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c publicCase
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	for i := range c.Inputs {
		c.Inputs[i] = filepath.Join(filepath.Dir(file), c.Inputs[i])
	}
	book, err := triage.LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, &book, c.Inputs, nil)
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case c.isHealthy() && c.alarms(f):
			t.Errorf("a healthy input has an alarm: %s", findingLine(f))
		case !c.isHealthy() && c.accuses(f):
			t.Errorf("another place is accused: %s", findingLine(f))
		}
	}
	if !c.isHealthy() && !c.found(r) {
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
		return l.names(f) && f.Severity.Rank() >= l.least().Rank()
	}
	return l.least().Rank() <= rules.Medium.Rank() && l.leadIn(r) == 1
}

func publicText(t *testing.T, r *schema.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
