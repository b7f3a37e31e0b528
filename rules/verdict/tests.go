package verdict

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// NameTests names the test in findings about dumps of test binaries, and makes their steps run that test. Nothing can
// be fetched from a test that has ended.
func NameTests(found []rules.Finding, pass *rules.Pass) {
	dumps := pods.IndexDumps(pass.Dumps)
	for i := range found {
		f := &found[i]
		name, ok := testOf(f, dumps)
		if !ok {
			continue
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

// testOf is the test that a finding's evidence is of, "" where that isn't known; ok reports whether it is of a test
// binary, or of a race in a test. The first evidence with a goroutine decides.
func testOf(f *rules.Finding, dumps pods.DumpIndex) (name string, ok bool) {
	for _, e := range f.Evidence {
		d := dumps.At(e.Input, e.Line)
		if d == nil || d.Test == "" && len(d.Races) == 0 && !(parsed.Waits(d) != nil && parsed.Waits(d).Test) {
			continue
		}
		id := append(slices.Clone(e.Goroutines), 0)[0]
		name = rules.TestOf(d.Dump, id)
		if ok = name != "" || len(d.Races) == 0; id > 0 {
			break
		}
	}
	return name, ok
}
