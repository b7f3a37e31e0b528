package accuracy

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
)

// stuckCategories are those of what waits for ever: what waits for one lock leaks its goroutines too.
var stuckCategories = []string{"deadlock", "leak", "contention"}

// dumps are dumps of small programs, each with one fault or none: file, program, kind, release, format, goroutines,
// culprit, category and rule are the columns of a row.
func dumps(t *testing.T, population string) []*batch {
	dir := filepath.Join(testdata, "dumps")
	var all []*input
	for _, row := range readTSV(t, filepath.Join(dir, "MANIFEST.tsv")) {
		l := placeLabel([]string{row[7]}, nil, strings.Split(row[6], "|"))
		switch {
		case row[7] == "any":
			continue // nothing is known about it
		case row[8] != "":
			l = placeLabel(stuckCategories, nil, strings.Split(row[6], "|"))
			l.Least = rules.Medium
		}
		all = append(all, &input{program: row[1] + "/" + row[2], name: row[0], form: row[4], label: l, dump: true})
	}
	return []*batch{{population: population, inputs: func(t *testing.T, _ string) []*input {
		unpacked := captures.Dumps(t, dir)
		for _, in := range all {
			in.files = []string{filepath.Join(unpacked, in.name)}
			if strings.HasPrefix(in.name, "../") {
				in.files = []string{filepath.Join(dir, in.name)}
			}
		}
		return all
	}}}
}

// profiles are of programs that do one thing wrong, or nothing.
func profiles(t *testing.T, population string) []*batch {
	dir := filepath.Join(testdata, "profiles")
	var all []*input
	for _, row := range readTSV(t, filepath.Join(dir, "MANIFEST.tsv")) {
		all = append(all, &input{program: row[1], name: row[0], form: row[2],
			label: placeLabel([]string{row[6]}, nil, []string{row[5]})})
	}
	return []*batch{packedIn(dir, population, all)}
}

// packedIn is the batch of inputs that are files of a folder with an archive beside them.
func packedIn(dir, population string, all []*input) *batch {
	return &batch{population: population, inputs: func(t *testing.T, _ string) []*input {
		at := map[string]string{}
		for _, path := range captures.Files(t, dir) {
			at[filepath.Base(path)] = path
		}
		for _, in := range all {
			in.files = []string{at[in.name]}
		}
		return all
	}}
}

// bundles are support bundles of small clusters: file, layout, verdict, severity, categories, objects, actors, field,
// words and culprits are the columns of a row.
func bundles(t *testing.T, population string) []*batch {
	dir := filepath.Join(testdata, "bundles")
	var all []*input
	for _, row := range readTSV(t, filepath.Join(dir, "MANIFEST.tsv")) {
		list := func(column int, sep string) []string {
			return slices.DeleteFunc(strings.Split(row[column], sep), func(s string) bool { return s == "-" || s == "none" })
		}
		l := nothing()
		if row[2] == "guilty" {
			culprits := list(9, "|")
			for i := range culprits {
				culprits[i] += "*"
			}
			l = placeLabel(list(4, "|"), list(5, "|"), culprits)
			l.Says, l.Words, l.Least = append(list(6, ","), list(7, "\x00")...), list(8, "|"), rules.Medium
			if row[3] != "-" {
				l.Least = rules.Severity(row[3])
			}
		}
		all = append(all, &input{program: row[0], name: row[0], form: "bundle", label: l})
	}
	return []*batch{packedIn(dir, population, all)}
}

// placeLabel is a label with categories, and the names of objects, and functions, of which any is right. "-" is none.
func placeLabel(categories, objects, functions []string) *label {
	if categories[0] == healthy {
		return nothing()
	}
	l := &label{}
	for _, category := range categories {
		if len(objects) > 0 {
			l.Acceptable = append(l.Acceptable, place{Category: category, Object: objects})
		}
		for _, fn := range functions {
			if fn != "-" && fn != "" {
				l.Acceptable = append(l.Acceptable, place{Category: category, Function: fn})
			}
		}
		if len(l.Acceptable) == 0 {
			l.Acceptable = []place{{Category: category}}
		}
	}
	l.RootCause = l.Acceptable[0]
	return l
}

// numbered matches what distinguishes a dump from others of its series: "debug2-03.txt".
var numbered = regexp.MustCompile(`-\d+\.txt$`)

// atWork are programs that do their work: each dump alone, and the first three of a series together.
func atWork(t *testing.T, population string) (all []*batch) {
	archives, err := filepath.Glob(filepath.Join(testdata, "well", "*.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	for _, archive := range archives {
		all = append(all, &batch{population: population, archive: archive, inputs: func(t *testing.T, dir string) (inputs []*input) {
			files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
			if err != nil {
				t.Error(err)
			}
			program := strings.TrimSuffix(filepath.Base(archive), ".tar.zst")
			series := map[string][]string{}
			for _, file := range files {
				name := numbered.ReplaceAllString(filepath.Base(file), "")
				series[name] = append(series[name], file)
				inputs = append(inputs, &input{program: program, name: program + "/" + filepath.Base(file), form: "debug2",
					files: []string{file}, label: nothing()})
			}
			for _, name := range slices.Sorted(maps.Keys(series)) {
				inputs = append(inputs, &input{program: program, name: program + "/" + name, form: "series",
					files: series[name][:min(3, len(series[name]))], label: nothing()})
			}
			return inputs
		}})
	}
	return all
}

// corpusEnv names the folder with labelled cases that are not in this repository.
const corpusEnv = "TRIAGE_CORPUS"

// collected are labelled cases from outside, where the environment says where they are.
func collected(set string) func(t *testing.T, population string) []*batch {
	return func(t *testing.T, population string) []*batch {
		return []*batch{{population: population, outside: true, inputs: func(t *testing.T, _ string) []*input {
			if os.Getenv(corpusEnv) == "" {
				return nil
			}
			return casesIn(t, filepath.Join(os.Getenv(corpusEnv), set))
		}}}
	}
}

// public are small inputs in the shapes of reports that people published.
func public(t *testing.T, population string) []*batch {
	return []*batch{{population: population, inputs: func(t *testing.T, _ string) []*input { return casesIn(t, publicDir) }}}
}

// casesIn are the inputs in the folders of a folder, each with a case.json.
func casesIn(t *testing.T, dir string) (inputs []*input) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil || len(files) == 0 {
		t.Errorf("no cases in %s: %v", dir, err)
	}
	for _, file := range files {
		in, err := readCase(filepath.Dir(file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// readCase reads a case.json.
func readCase(dir string) (*input, error) {
	data, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err != nil {
		return nil, err
	}
	var c struct {
		label
		Inputs []string `json:"inputs"`
		Kind   string   `json:"kind"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	name := filepath.Base(dir)
	in := &input{program: name, name: name, form: c.Kind, label: &c.label, dump: c.Kind == "dump"}
	for _, file := range c.Inputs {
		in.files = append(in.files, filepath.Join(dir, file))
	}
	return in, nil
}
