package triage_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const (
	clusterDir    = "../testdata/cluster"
	clusterFaults = "../testdata/gen/cluster/faults.yaml"
	clusterDays   = "../testdata/gen/cluster/healthy.yaml"
	clusterReport = "../docs/cluster.md"
)

var clusterAt = flag.String("cluster", "", "print the verdicts about the captures in another folder only")

// The levels of an audit log.
const (
	metadataLevel = "Metadata"
	bodiesLevel   = "RequestResponse"
)

// clusterForms are the inputs that one capture gives.
var clusterForms = []string{"metadata", "bodies", "snapshots", "watch", "logs", "processes", "bundle"}

// verdictVague is of a finding in the first place that lacks an actor, a field or another name of the label. The other
// verdicts are those about the captures of programs.
const verdictVague = "vague"

// A clusterScene is what one capture is of: a variant of a fault, or a healthy day.
type clusterScene struct {
	name, variant string
	fault         *clusterFault // nil for a healthy day
	label         *clusterVariant
	bodies        bool // the audit logs have bodies
}

// A clusterInput is one form of a capture, judged.
type clusterInput struct {
	scene         *clusterScene
	form, verdict string
	lacks         string   // what a vague finding leaves out
	accused       string   // what is accused wrongly
	alarms        []string // above low, of a healthy day
}

func (in *clusterInput) name() string {
	return in.scene.name + "-" + in.scene.variant + "/" + in.form
}

// shown reports whether by its label the form can show the fault.
func (in *clusterInput) shown() bool {
	return in.scene.fault != nil && slices.Contains(in.scene.fault.Inputs, in.form)
}

// What must not be lost: the share of the inputs that can show the fault in which it is the first finding with all its
// names, of each variant, and healthy inputs above low.
const (
	leastFirstA = 98 // percent
	leastFirstB = 74
	mostAlarms  = 0
)

// halfOfVariant is the half, as the flags name it, that a variant of a fault belongs to: b is only measured.
func halfOfVariant(variant string) string {
	if variant == "b" {
		return "second"
	}
	return "first"
}

// TestClusterLabIsJudged replays the captures of the cluster lab, and compares what comes of them with docs/cluster.md.
func TestClusterLabIsJudged(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	scenes := clusterScenes(readClusterFaults(t, clusterFaults), readClusterDays(t, clusterDays))
	if *onlyBug != "" {
		scenes = slices.DeleteFunc(scenes, func(s *clusterScene) bool { return s.name != *onlyBug })
	}
	if *onlyHalf != "" || *onlyBug != "" || *clusterAt != "" {
		scenes = slices.DeleteFunc(scenes, func(s *clusterScene) bool {
			return *onlyHalf != "" && *onlyHalf != halfOfVariant(s.variant)
		})
		printCluster(replayCluster(t, cmp.Or(*clusterAt, clusterDir), scenes))
		return
	}
	inputs := replayCluster(t, clusterDir, scenes)
	if len(inputs) == 0 {
		t.Skip("there are no captures")
	}
	holdClusterFloor(t, inputs)
	compareFile(t, clusterReport, clusterTable(inputs))
}

// holdClusterFloor fails if less is found, or more is alarmed, than once was.
func holdClusterFloor(t *testing.T, inputs []*clusterInput) {
	t.Helper()
	for variant, least := range map[string]int{"a": leastFirstA, "b": leastFirstB} {
		first, shown := 0, 0
		for _, in := range inputs {
			if in.shown() && in.scene.variant == variant {
				shown++
				if in.verdict == verdictFirst {
					first++
				}
			}
		}
		if shown > 0 && 100*first < least*shown {
			t.Errorf("variants %s: first in %d of %d inputs, which is less than %d %%", variant, first, shown, least)
		}
	}
	alarmed := 0
	for _, in := range inputs {
		if len(in.alarms) > 0 {
			alarmed++
		}
	}
	if alarmed > mostAlarms {
		t.Errorf("%d healthy inputs are alarmed, at most %d were", alarmed, mostAlarms)
	}
}

// clusterScenes are all scenes that the lists name, healthy ones last.
func clusterScenes(faults []clusterFault, days []clusterDay) []*clusterScene {
	var scenes []*clusterScene
	for i := range faults {
		f := &faults[i]
		scenes = append(scenes, &clusterScene{f.Name, "a", f, &f.A, f.A.Level == bodiesLevel},
			&clusterScene{f.Name, "b", f, &f.B, f.B.Level == bodiesLevel})
	}
	for _, d := range days {
		scenes = append(scenes, &clusterScene{name: d.Name, variant: "a", bodies: d.Level == bodiesLevel})
	}
	return scenes
}

// replayCluster judges the captures of scenes below a folder: those that are there.
func replayCluster(t *testing.T, dir string, scenes []*clusterScene) []*clusterInput {
	t.Helper()
	var inputs []*clusterInput
	for _, s := range scenes {
		capture := filepath.Join(dir, s.name+"-"+s.variant)
		if _, err := os.Stat(capture); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for _, form := range clusterForms {
			files := s.files(t, capture, form)
			if len(files) == 0 {
				continue
			}
			r, err := triage.Run(context.Background(), triage.Options{Inputs: files})
			if err != nil {
				t.Fatalf("%s %s: %v", capture, form, err)
			}
			in := &clusterInput{scene: s, form: form}
			in.judge(r)
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// files are the files of one form of a capture, none if it lacks that form.
func (s *clusterScene) files(t *testing.T, capture, form string) []string {
	t.Helper()
	pattern := map[string]string{"metadata": "audit-*", "bodies": "audit-*", "snapshots": "snapshot-*", "watch": "watch*",
		"logs": "bundle*", "processes": "bundle*", "bundle": "bundle*"}[form]
	files, err := filepath.Glob(filepath.Join(capture, pattern))
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case form == "bodies" && !s.bodies:
		return nil
	case form == "metadata" && s.bodies:
		return withoutBodies(t, files)
	case form == "logs":
		return partOfBundle(t, files, func(name string) bool { return strings.HasSuffix(name, ".log") && !isAudit(name) })
	case form == "processes":
		return partOfBundle(t, files, func(name string) bool { return strings.Contains(name, "/pprof/") })
	}
	return files
}

func isAudit(name string) bool {
	return strings.Contains(name, "audit") && !strings.Contains(name, "/pods/")
}

// partOfBundle unpacks some of a bundle's files and returns the folder that holds them, nothing if there are none.
func partOfBundle(t *testing.T, bundles []string, wanted func(name string) bool) []string {
	t.Helper()
	dir, found := t.TempDir(), false
	for _, bundle := range bundles {
		eachInTar(t, bundle, func(name string, data []byte) {
			if !wanted(name) {
				return
			}
			found = true
			to := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if !found {
		return nil
	}
	return []string{dir}
}

// withoutBodies writes audit logs as an API server writes them at level Metadata.
func withoutBodies(t *testing.T, logs []string) []string {
	t.Helper()
	dir := t.TempDir()
	var stripped []string
	for _, log := range logs {
		data := uncompressed(t, log)
		var out bytes.Buffer
		for line := range bytes.Lines(data) {
			var event map[string]json.RawMessage
			if err := json.Unmarshal(line, &event); err != nil {
				t.Fatalf("%s: %v", log, err)
			}
			delete(event, "requestObject")
			delete(event, "responseObject")
			event["level"] = json.RawMessage(`"Metadata"`)
			if err := json.NewEncoder(&out).Encode(event); err != nil {
				t.Fatal(err)
			}
		}
		to := filepath.Join(dir, strings.TrimSuffix(filepath.Base(log), ".zst"))
		if err := os.WriteFile(to, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		stripped = append(stripped, to)
	}
	return stripped
}

// uncompressed is the content of a file that may be compressed.
func uncompressed(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	switch {
	case strings.HasSuffix(name, ".gz"):
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return data
}

// judge holds a report against the label.
func (in *clusterInput) judge(r *schema.Report) {
	s := in.scene
	if s.fault == nil {
		in.verdict = verdictQuiet
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Severity.Rank() > rules.Low.Rank() {
				in.verdict, in.alarms = verdictAlarm, append(in.alarms, summary(f))
			}
		}
		return
	}
	in.accused = s.fault.accused(s.label, r, in.form)
	place := 1 + slices.IndexFunc(r.Findings, func(f rules.Finding) bool { return s.fault.names(s.label, &f, in.form) })
	if place == 0 {
		in.verdict = verdictSilent
		if in.shown() {
			in.verdict = verdictMissed
		} else if in.accused != "" {
			in.verdict = verdictWrong
		}
		return
	}
	found := &r.Findings[place-1]
	in.lacks = s.label.lacks(found, in.form, s.bodies)
	switch {
	case found.Severity.Rank() < s.fault.least(s.label).Rank():
		in.verdict = verdictMild
	case in.lacks != "":
		in.verdict = verdictVague
	case place == 1:
		in.verdict = verdictFirst
	case place <= 3:
		in.verdict = verdictThird
	default:
		in.verdict = verdictLater
	}
}

// printCluster prints the inputs that are not as they should be, and the figures.
func printCluster(inputs []*clusterInput) {
	if len(inputs) == 0 {
		return
	}
	for _, in := range inputs {
		if text := in.wrong(); text != "" {
			fmt.Printf("%s\t%s\n", in.name(), text)
		}
	}
	var b strings.Builder
	writeClusterFigures(&b, inputs)
	fmt.Print(b.String())
}

// wrong is what is not as it should be about an input, "" for nothing.
func (in *clusterInput) wrong() string {
	var parts []string
	switch {
	case in.verdict == verdictVague:
		parts = append(parts, "lacks "+in.lacks)
	case in.verdict == verdictAlarm:
		parts = append(parts, in.alarms...)
	case in.shown() && in.verdict != verdictFirst:
		parts = append(parts, in.verdict)
	}
	if in.accused != "" {
		parts = append(parts, "accuses "+in.accused)
	}
	return strings.Join(parts, "; ")
}
