package accuracy

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

const (
	testdata = "../../testdata"
	// corpusEnv names the folder with labelled cases that are not in this repository.
	corpusEnv = "TRIAGE_CORPUS"
)

// A population is a list of cases for each half: testdata/LABELS + HALF.yaml. The captures are in HALF.tar.xz, in an
// archive for each case, or beside the list.
type population struct {
	name, what string
	labels     string
	// archives begins the names of the archives that lie elsewhere.
	archives string
	// folder holds cases in a folder each, instead of lists.
	folder  string
	outside bool
	// sourced is set for what is judged with its source too, which is in testdata/gen, or in an archive there.
	sourced bool
	// captures returns those of a case that has other forms than processes have.
	captures func(t *testing.T, dir string, c *captures.Case) []capture
}

// A capture is what triage is given at once of a case.
type capture struct {
	name, form string
	files      []string
	dump       bool
}

// batches are the halves, or their parts that are unpacked together.
func (p *population) batches(t *testing.T) (all []*batch) {
	for _, half := range halves {
		cases := p.cases(t, half)
		parts := map[string][]captures.Case{}
		for _, c := range cases {
			archive := p.archiveOf(half, &c)
			part := cmp.Or(archive, c.Name)
			if parts[part] == nil {
				all = append(all, &batch{population: p.name, half: half, archive: archive, outside: p.outside})
				all[len(all)-1].inputs = func(t *testing.T, dir string) []*input { return p.inputs(t, half, dir, parts[part]) }
			}
			parts[part] = append(parts[part], c)
		}
	}
	if len(all) == 0 {
		all = []*batch{{population: p.name, outside: p.outside, inputs: func(*testing.T, string) []*input { return nil }}}
	}
	return all
}

// cases are those of a half, none if the population does not have it.
func (p *population) cases(t *testing.T, half string) []captures.Case {
	t.Helper()
	path := filepath.Join(testdata, p.labels+cmp.Or(half, "all")+".yaml")
	if p.folder != "" {
		path = p.folder
	}
	if _, err := os.Stat(path); err != nil || p.folder != "" && half != "" {
		return nil
	}
	cases, err := captures.ReadCases(path)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// archiveOf is the archive with the captures of a case, "" for none.
func (p *population) archiveOf(half string, c *captures.Case) string {
	begin, program := filepath.Join(testdata, cmp.Or(p.archives, p.labels)+"x"), topOf(c.Name)
	begin = strings.TrimSuffix(begin, "x")
	for _, archive := range []string{begin + cmp.Or(half, "all") + ".tar.xz", begin + program + ".tar.zst"} {
		if _, err := os.Stat(archive); err == nil {
			return archive
		}
	}
	return ""
}

// topOf is the first element of a path.
func topOf(path string) string {
	top, _, _ := strings.Cut(path, "/")
	return top
}

// inputs are those of some cases whose captures are unpacked in a folder.
func (p *population) inputs(t *testing.T, half, dir string, cases []captures.Case) (all []*input) {
	source := p.source(t, half)
	for i := range cases {
		c := &cases[i]
		if slices.Contains(c.RootCause.Category, "any") {
			continue // nothing is known about it
		}
		found := p.capturesOf(t, dir, c)
		if len(found) == 0 && p.sourced { // others could not be captured, or not at this age
			t.Errorf("%s: %s has no captures", p.name, c.Name)
		}
		for _, capture := range found {
			in := input{program: c.Program, name: capture.name, form: capture.form, files: capture.files, dump: capture.dump,
				label: labelOf(c, capture.form)}
			if strings.HasPrefix(in.name, c.Name+"/fixed/") {
				in.label = nothing()
			}
			_, shown := c.Least(in.form)
			in.hidden = !in.label.isHealthy() && !shown
			all = append(all, &in)
			if source != nil {
				with := in
				with.source = source
				all = append(all, &with)
			}
		}
	}
	return all
}

// source are the folders with the source of a half's programs.
func (p *population) source(t *testing.T, half string) []string {
	if !p.sourced {
		return nil
	}
	source := filepath.Join(testdata, "gen", p.labels+half)
	folders := []string{filepath.Dir(source)}
	if _, err := os.Stat(source + ".tar.xz"); err == nil {
		folders = append([]string{captures.Unpack(t, source+".tar.xz")}, folders...)
	}
	return folders
}

// capturesOf are the captures of a case: those that it lists, the file that is named as it is, or those of its processes.
func (p *population) capturesOf(t *testing.T, dir string, c *captures.Case) []capture {
	if p.captures != nil {
		return p.captures(t, dir, c)
	}
	inputs := c.Inputs
	if info, err := os.Stat(fileOf(dir, c, c.Name)); len(inputs) == 0 && err == nil && info.Mode().IsRegular() {
		inputs = []string{c.Name}
	}
	if len(inputs) == 0 {
		return processes(t, filepath.Join(dir, c.Name), c)
	}
	one := capture{name: c.Name, form: cmp.Or(c.Form, c.Kind), dump: c.Kind == "dump"}
	for _, name := range inputs {
		one.files = append(one.files, fileOf(dir, c, name))
	}
	return []capture{one}
}

// fileOf is the path of a case's file: in what was unpacked, or beside the label.
func fileOf(dir string, c *captures.Case, name string) string {
	for _, inside := range []string{name, strings.TrimPrefix(name, topOf(name)+"/")} {
		if path := filepath.Join(dir, inside); dir != "" && filepath.IsLocal(inside) {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	return filepath.Join(c.Dir, name)
}

// A form is one kind of capture of a process, with the files of it.
type form struct {
	name  string
	files []string
	dump  bool
}

// forms are all that captures of processes have.
var forms = []form{
	{"debug2", []string{"debug2.txt"}, true},
	{"two", []string{"debug2.txt", "debug2-later.txt"}, true},
	{"debug1", []string{"debug1.txt"}, true},
	{"goroutine", []string{"goroutine.pb"}, true},
	{"signal", []string{"signal.txt"}, true},
	{"cpu", []string{"cpu.pb"}, false},
	{"heap", []string{"heap.pb"}, false},
	{"allocs", []string{"allocs.pb"}, false},
	{"mutex", []string{"mutex.pb"}, false},
	{"block", []string{"block.pb"}, false},
	{"crash", []string{"crash.txt"}, false}, // what the process printed when it died
	{"fetch", []string{"fetch"}, false},
}

// processes are the captures of a case's processes: each folder at or below root that holds any is of one.
func processes(t *testing.T, root string, c *captures.Case) (all []capture) {
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err) && dir == root:
			return nil
		case err != nil || !entry.IsDir():
			return err
		case entry.Name() == "fetch":
			return filepath.SkipDir
		}
		process := strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")
		for _, f := range forms {
			one := capture{name: strings.Join([]string{c.Name, process, f.name}, "/"), form: f.name, dump: f.dump}
			for _, file := range f.files {
				one.files = append(one.files, filepath.Join(dir, file))
			}
			if c.Kind == "crash" && f.name == "signal" { // what it printed when it died
				one.form, one.dump = "crash", false
			}
			if _, err := os.Stat(one.files[len(one.files)-1]); err == nil {
				all = append(all, one)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

// atWork are dumps of a program that does its work: each alone, and the first three of a series together.
func atWork(t *testing.T, dir string, c *captures.Case) (all []capture) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Error(err)
	}
	series := map[string][]string{} // "debug2-03.txt" is one of "debug2"
	for _, file := range files {
		name := filepath.Base(file)
		all = append(all, capture{name: c.Name + "/" + name, form: "debug2", files: []string{file}})
		name = name[:strings.LastIndex(name, "-")]
		if series[name] = append(series[name], file); len(series[name]) == 1 {
			all = append(all, capture{name: c.Name + "/" + name, form: "series"})
		}
	}
	for i := range all {
		if all[i].form == "series" {
			of := series[filepath.Base(all[i].name)]
			all[i].files = of[:min(3, len(of))]
		}
	}
	return all
}
