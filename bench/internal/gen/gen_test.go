package gen

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/DataDog/gostackparse"
	pprof "github.com/google/pprof/profile"
)

func written(t *testing.T, in Input) []byte {
	t.Helper()
	a, b := text(in), text(in)
	if !bytes.Equal(a, b) {
		t.Error("the same input differs when it is written again")
	}
	return a
}

func TestADumpHasTheGoroutinesAndStacksAskedFor(t *testing.T) {
	for _, want := range []int{50, 3000} {
		all, errs := gostackparse.Parse(bytes.NewReader(written(t, Dump(3000, want))))
		if len(errs) > 0 || len(all) != 3000 {
			t.Fatalf("%d stacks: %d goroutines, errors %v", want, len(all), errs)
		}
		stacks, functions := map[string]bool{}, map[string]bool{}
		for _, g := range all {
			key := g.State
			for _, f := range g.Stack {
				key += "\n" + f.Func
				functions[f.Func] = true
			}
			stacks[key] = true
		}
		if len(stacks) != want || len(functions) < want {
			t.Errorf("%d stacks of %d functions, want %d", len(stacks), len(functions), want)
		}
	}
}

func TestALogIsAsLongAsAskedForAndHasItsShareOfDumps(t *testing.T) {
	for name, c := range map[string]struct {
		every      int64
		goroutines int
		size       int64
		dumps      int
		margin     int64 // a dump
	}{"sparse": {9e6, 100, 30e6, 3, 2e5}, "dense": {3e3, 1000, 10e6, 8, 2e6}} {
		text := written(t, Log(c.size, c.every, c.goroutines))
		if n := int64(len(text)); n < c.size || n > c.size+c.margin {
			t.Errorf("%s: %d bytes, want %d", name, n, c.size)
		}
		if n := bytes.Count(text, []byte("SIGABRT")); n < c.dumps {
			t.Errorf("%s: %d dumps, want at least %d", name, n, c.dumps)
		}
	}
}

func TestAProfileHasTheSamplesAskedFor(t *testing.T) {
	p, err := pprof.ParseData(written(t, CPUProfile(1000)))
	if err != nil {
		t.Fatal(err)
	}
	stacks := map[string]bool{}
	for _, s := range p.Sample {
		var key bytes.Buffer
		for _, l := range s.Location {
			fmt.Fprintln(&key, l.Line[0].Function.Name, l.Line[0].Line)
		}
		stacks[key.String()] = true
	}
	if err := p.CheckValid(); err != nil || len(p.Sample) != 1000 || len(stacks) < 950 || len(p.Function) != 632 {
		t.Errorf("%d samples, %d stacks, %d functions, %v", len(p.Sample), len(stacks), len(p.Function), err)
	}
}

func TestAnAuditLogGoesOnWithFreshTimesAndRevisions(t *testing.T) {
	const events = 20_000 // several blocks
	type event struct {
		AuditID                  string
		RequestReceivedTimestamp string
		StageTimestamp           string
		ObjectRef                struct{ ResourceVersion string }
	}
	ids := map[string]bool{}
	var last event
	n := 0
	for line := range bytes.Lines(written(t, Audit(events))) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.StageTimestamp < last.StageTimestamp && e.StageTimestamp[:13] < last.StageTimestamp[:13] {
			t.Fatalf("%s follows %s", e.StageTimestamp, last.StageTimestamp)
		}
		if len(e.ObjectRef.ResourceVersion) != len(last.ObjectRef.ResourceVersion) && e.ObjectRef.ResourceVersion != "" &&
			last.ObjectRef.ResourceVersion != "" {
			t.Fatalf("revision %s after %s", e.ObjectRef.ResourceVersion, last.ObjectRef.ResourceVersion)
		}
		ids[e.AuditID] = true
		last = e
		n++
	}
	if n != events || len(ids) != events {
		t.Errorf("%d events with %d ids, want %d", n, len(ids), events)
	}
}

func TestABundleHasTheFilesAskedForUnderNamesOfTheirOwn(t *testing.T) {
	text := written(t, Bundle(300))
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
	}
	if len(names) != 300 {
		t.Errorf("%d files", len(names))
	}
}
