package verdict

import (
	"strings"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// NameTests names the test in findings about dumps of test binaries, and makes their steps run that test. Nothing can
// be fetched from a test that has ended.
func NameTests(found []rules.Finding, dumps pods.DumpIndex) {
	for i := range found {
		f := &found[i]
		d, id := dumpOf(f, dumps)
		if d == nil || !ofTest(d) {
			continue
		}
		name := rules.TestOf(d.Dump, id)
		if name == "" && len(d.Races) > 0 {
			continue // a program's own race
		}
		run := "go test ./..."
		if name != "" {
			f.Notes = append([]string{"In test " + phrase.Cut(name, phrase.MaxQuoted) + "."}, f.Notes...)
			run = "go test -run " + rules.TestPattern(name) + " ./..."
		}
		var steps []rules.Step
		for _, s := range f.Next {
			if flags, ok := strings.CutSuffix(s.Command, " ./..."); ok && strings.HasPrefix(s.Command, "go test") {
				run = flags + strings.TrimPrefix(run, "go test")
			} else if !strings.HasPrefix(s.Command, "triage fetch ") {
				steps = append(steps, s)
			}
		}
		f.Next = append([]rules.Step{rules.Command(run)}, steps...)
	}
}

// ofTest reports dumps of test binaries, and races, which a program's own may be.
func ofTest(d *rules.DumpInput) bool {
	waits := parsed.Waits(d)
	return d.Test != "" || len(d.Races) > 0 || waits != nil && waits.Test
}

// dumpOf is the dump that a finding's first evidence with a goroutine is of, and that goroutine; failing that the dump
// of the first evidence.
func dumpOf(f *rules.Finding, dumps pods.DumpIndex) (first *rules.DumpInput, goroutine uint64) {
	for _, e := range f.Evidence {
		d := dumps.At(e.Input, e.Line)
		if d != nil && len(e.Goroutines) > 0 {
			return d, e.Goroutines[0]
		}
		if first == nil {
			first = d
		}
	}
	return first, 0
}
