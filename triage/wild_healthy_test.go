package triage_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

const wildHealthy = "../testdata/gen/wild/healthy.yaml"

// A healthyProgram is one record of the lab's list of programs with nothing wrong: each looks as if it had what some
// rule looks for. testdata/gen/wild/README.md describes the keys.
type healthyProgram struct {
	Name, Half, Kind, Go, Fools, Why, Note string
}

// A healthyInput is one form of one process of a healthy program.
type healthyInput struct {
	program             *healthyProgram
	release, mode, form string
	source              []string
	alarms              []alarm
}

// An alarm is a finding above low about a healthy program.
type alarm struct {
	severity             rules.Severity
	rule, culprit, title string
}

func (in *healthyInput) name() string {
	return strings.Join([]string{in.program.Name, in.release, in.mode, in.form}, "/")
}

// TestHealthyProgramsGetNothingAboveLow replays all captures of programs that look as if something were wrong.
func TestHealthyProgramsGetNothingAboveLow(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	for _, in := range healthyInputs(t) {
		for _, a := range in.alarms {
			t.Errorf("%s: %s %s at %s: %s\nit is healthy: %s", in.name(), a.severity, a.rule, a.culprit, a.title, in.program.Why)
		}
	}
}

// halfOf is the half that a name decides: the parity of the first hex digit of its hash.
func halfOf(name string) string {
	if sha256.Sum256([]byte(name))[0]>>4%2 == 0 {
		return "first"
	}
	return "second"
}

// healthyReplay is what two tests read: the captures are judged once.
var healthyReplay struct {
	once   sync.Once
	inputs []*healthyInput
}

// healthyInputs returns the inputs of the healthy programs that the flags ask for, judged, in order of the list.
func healthyInputs(t *testing.T) []*healthyInput {
	t.Helper()
	healthyReplay.once.Do(func() {
		for _, p := range readHealthy(t) {
			if *onlyHalf != "" && p.Half != *onlyHalf || *onlyBug != "" && p.Name != *onlyBug {
				continue
			}
			healthyReplay.inputs = append(healthyReplay.inputs, replayHealthy(t, wildDir, &p, nil)...)
		}
	})
	return healthyReplay.inputs
}

// readHealthy reads the list.
func readHealthy(t *testing.T) []healthyProgram {
	t.Helper()
	data, err := os.ReadFile(wildHealthy)
	if err != nil {
		t.Fatal(err)
	}
	var programs []healthyProgram
	if err := yaml.UnmarshalWithOptions(data, &programs, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if p.Half != halfOf(p.Name) || p.Go == "" || p.Fools == "" || p.Why == "" {
			t.Errorf("%+v: its half is %s", p, halfOf(p.Name))
		}
	}
	return programs
}

// replayHealthy judges the captures of a program, built with one release of Go after the other, with its source in the
// folders.
func replayHealthy(t *testing.T, captures string, p *healthyProgram, source []string) (inputs []*healthyInput) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(captures, "healthy", p.Name, "*.tar.xz"))
	if err != nil || len(archives) == 0 {
		t.Errorf("%s has no captures: %v", p.Name, err)
	}
	for _, archive := range archives {
		dir := unpacked(t, archive)
		for _, mode := range []string{"plain", "collected"} {
			for _, form := range wildForms {
				files := slices.Clone(form.files)
				for k := range files {
					files[k] = filepath.Join(dir, mode, files[k])
				}
				if _, err := os.Stat(files[len(files)-1]); err != nil || form.name == "crash" {
					continue
				}
				in := &healthyInput{program: p, mode: mode, form: form.name, source: source,
					release: strings.TrimSuffix(filepath.Base(archive), ".tar.xz")}
				in.judge(t, files)
				inputs = append(inputs, in)
			}
		}
	}
	return inputs
}

// judge runs triage over the files and keeps what it reports above low.
func (in *healthyInput) judge(t *testing.T, files []string) {
	t.Helper()
	r, err := triage.Run(context.Background(), triage.Options{Inputs: files, Source: in.source})
	if err != nil {
		t.Fatalf("%s: %v", in.name(), err)
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity.Rank() > rules.Low.Rank() {
			in.alarms = append(in.alarms, alarm{f.Severity, f.Name, f.Culprit.Function, f.Title})
		}
	}
}

// writeHealthy writes, for each healthy program, how many inputs it gives and what is reported about them above low.
func writeHealthy(b *strings.Builder, inputs []*healthyInput) {
	b.WriteString("\n## Healthy programs\n\nPrograms with nothing wrong that look as if they had what a rule looks for. Whatever is reported about " +
		"them above\nlow is an alarm.\n\n| program | half | looks like | inputs | alarms |\n|---|---|---|--:|---|\n")
	all, alarmed := 0, 0
	for len(inputs) > 0 {
		p, n := inputs[0].program, 0
		var texts []string
		for n < len(inputs) && inputs[n].program == p {
			in := inputs[n]
			n++
			if len(in.alarms) > 0 {
				alarmed++
			}
			for _, a := range in.alarms {
				if text := fmt.Sprintf("%s %s %s", a.severity, a.rule, a.culprit); !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s |\n", p.Name, p.Half, p.Fools, n, strings.Join(texts, "; "))
		inputs, all = inputs[n:], all+n
	}
	fmt.Fprintf(b, "\n%d inputs, of which %s give an alarm.\n", all, ofAll(alarmed, all))
}
