package triage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
)

// A FixtureResult is what the rules of a file find in one of its fixtures.
type FixtureResult struct {
	Name     string   // of the fixture's file
	NearMiss []string // rules that must not fire, as its comment says
	// Found are the findings of the file's rules, each as a line: rule, severity and confidence, category, object, g=
	// with the first goroutine, file and line of the culprit, title.
	Found []string
	// Missing are wanted lines that no finding fulfils, Surplus findings that no line wants.
	Missing, Surplus []string
	Skipped          []Skipped // what could not be read
	Err              error     // the fixture can't be used
}

// OK reports whether the rules find what the fixture wants, and no more.
func (r *FixtureResult) OK() bool { return r.Err == nil && len(r.Missing)+len(r.Surplus) == 0 }

// TestRules applies the rules of a file to its fixtures: FILE.txtar and FILE-near*.txtar beside it, and those that it
// names. Built-in rules run beside them, and are not reported. The doubts are about what works and is doubtful. The
// error is for a file that can't be used.
func TestRules(ctx context.Context, file string) (results []FixtureResult, doubts []error, err error) {
	own, err := loadFile(file)
	if err != nil {
		return nil, nil, err
	}
	fixtures, err := fixturesOf(file, own)
	if err != nil {
		return nil, nil, err
	}
	book, err := LoadRules([]string{file})
	if err != nil {
		return nil, nil, err
	}
	fired, missed := map[string]bool{}, map[string]bool{}
	for _, fx := range fixtures {
		for _, line := range fx.Want {
			fired[strings.Fields(line)[0]] = true
		}
		for _, id := range fx.NearMiss {
			missed[id] = true
		}
		r := FixtureResult{Name: fx.Name, NearMiss: fx.NearMiss}
		r.Err = r.run(ctx, fx, own, book)
		results = append(results, r)
	}
	return results, own.Doubts(fired, missed), ctx.Err()
}

// maxFixture bounds a fixture's file, in bytes.
const maxFixture = 4 << 20

// fixturesOf reads the fixtures of a rule file. A file can't reach beyond its own folder.
func fixturesOf(file string, own *declared.File) ([]*fixture.Fixture, error) {
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	var all []*fixture.Fixture
	for i, pattern := range append([]string{stem + ".txtar", stem + "-near*.txtar"}, own.Fixtures...) {
		names, err := fs.Glob(root.FS(), pattern)
		if err != nil || len(names) == 0 && i > 1 {
			return nil, fmt.Errorf("%s: fixtures: %q matches no file under the rule file's folder", file, pattern)
		}
		for _, name := range names {
			if slices.ContainsFunc(all, func(fx *fixture.Fixture) bool { return fx.Name == name }) {
				continue
			}
			data, err := disk.ReadBelow(root, name, maxFixture)
			if err != nil {
				return nil, fmt.Errorf("reading a fixture: %w", err)
			}
			all = append(all, fixture.Of(name, txtar.Parse(data)))
		}
	}
	return all, nil
}

// run applies the rules to one fixture, whose inputs are written into a folder for as long as that takes.
func (r *FixtureResult) run(ctx context.Context, fx *fixture.Fixture, own *declared.File, book RuleBook) error {
	if !fx.Wanted {
		return errors.New("it has no file `want` (an empty one if no rule may fire)")
	}
	inputs, err := fx.Inputs()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "triage-fixture-")
	if err != nil {
		return fmt.Errorf("writing the inputs: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := writeInputs(dir, inputs); err != nil {
		return fmt.Errorf("writing the inputs: %w", err)
	}
	report, err := Run(ctx, Options{Inputs: []string{dir}, Book: &book})
	if err != nil {
		return err
	}
	r.Skipped = report.Skipped
	for i := range report.Findings {
		if f := &report.Findings[i]; rules.Find(own.Rules, f.Rule) != nil {
			r.Found = append(r.Found, strings.ReplaceAll(findingLine(f), dir+string(filepath.Separator), ""))
		}
	}
	r.compare(fx.Want)
	return nil
}

// writeInputs writes files into a folder, whatever their names lead to.
func writeInputs(dir string, files []txtar.File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.Name), 0o700); err != nil {
			return err
		}
		if err := root.WriteFile(f.Name, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// findingLine is a finding as FixtureResult.Found has it.
func findingLine(f *rules.Finding) string {
	words := []string{f.Rule, string(f.Severity) + "/" + string(f.Confidence), string(f.Category)}
	if f.Object != nil {
		words = append(words, f.Object.Text())
	}
	if len(f.Evidence) > 0 && len(f.Evidence[0].Goroutines) > 0 {
		words = append(words, fmt.Sprintf("g=%d", f.Evidence[0].Goroutines[0]))
	}
	if f.Culprit.File != "" {
		words = append(words, fmt.Sprintf("%s:%d", symbol.ShortFile(f.Culprit.File), f.Culprit.Line))
	}
	return strings.Join(append(words, f.Title), " ")
}

// compare holds what was found against the wanted lines: a finding fulfils one where it has all its words.
func (r *FixtureResult) compare(want []string) {
	r.Surplus = slices.Clone(r.Found)
	for _, line := range want {
		wanted := strings.Fields(line)
		i := slices.IndexFunc(r.Surplus, func(found string) bool {
			words := strings.Fields(found)
			return words[0] == wanted[0] &&
				!slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(words, w) })
		})
		if i < 0 {
			r.Missing = append(r.Missing, line)
		} else {
			r.Surplus = slices.Delete(r.Surplus, i, i+1)
		}
	}
}
