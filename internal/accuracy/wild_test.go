package accuracy

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gotriage/triage/rules"
)

const (
	testdata   = "../../testdata"
	wildDir    = testdata + "/wild"
	agedDir    = testdata + "/aged"
	wildBugs   = testdata + "/gen/wild/bugs.yaml"
	wildWell   = testdata + "/gen/wild/healthy.yaml"
	agedLabels = testdata + "/gen/aged/labels.yaml"
)

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

// captured are the inputs of a folder that holds the captures of one process, of those forms that are there.
func captured(dir, program, process string, l *label, source ...string) (all []*input) {
	for _, f := range forms {
		files := slices.Clone(f.files)
		for i := range files {
			files[i] = filepath.Join(dir, files[i])
		}
		if _, err := os.Stat(files[len(files)-1]); err == nil {
			all = append(all, &input{program: program, name: strings.Join([]string{program, process, f.name}, "/"),
				form: f.name, files: files, source: source, label: l, dump: f.dump})
		}
	}
	return all
}

// A labelled program is a record of a list in YAML. The README.md beside each list describes the keys.
type labelled struct {
	Name, Half, Kind, Module, Category string
	Also, Culprit, Accept, Forms       []string
	Least                              rules.Severity `yaml:"min_severity"`
	// Corrected is what the label should have said, where it turned out wrong.
	Corrected struct {
		Forms []string
		Least rules.Severity `yaml:"min_severity"`
	}
	// Contended is set for a healthy program that holds a lock for long: a finding that says so is true.
	Contended bool
}

// nothing is the label of what is healthy, with the categories of alarms that are true of it.
func nothing(but ...string) *label {
	l := &label{RootCause: place{Category: healthy}}
	for _, category := range but {
		l.Acceptable = append(l.Acceptable, place{Category: category})
	}
	return l
}

// well is the label of a healthy program, or of one with its bug fixed.
func (p *labelled) well() *label {
	if p.Contended {
		return nothing("contention")
	}
	return nothing()
}

// guilty is the label of the program with its bug.
func (p *labelled) guilty() *label {
	least := p.Least
	if len(p.Corrected.Forms) > 0 {
		least = p.Corrected.Least
	}
	return newLabel(append([]string{p.Category}, p.Also...), slices.Concat(p.Culprit, p.Accept), p.Module, least)
}

// label is that of a program that is healthy or guilty.
func (p *labelled) label() *label {
	if p.Kind == "healthy" {
		return p.well()
	}
	return p.guilty()
}

// hide marks the inputs whose form cannot show the bug. What triage fetch collects holds the other forms, and shows it.
func (p *labelled) hide(all []*input) {
	shown := p.Forms
	if len(p.Corrected.Forms) > 0 {
		shown = p.Corrected.Forms
	}
	for _, in := range all {
		if p.Kind == "crash" && in.form == "signal" { // what it printed when it died
			in.form, in.dump = "crash", false
		}
		in.hidden = !in.label.isHealthy() && in.form != "fetch" && !slices.Contains(shown, in.form)
	}
}

// readYAML reads a list.
func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// eachHalf returns a batch for each half of a list. HALF.tar.xz in the folder contains the captures of a half, and inputs
// returns those of one program below dir. A program that could not be captured, or not at this age, has none.
func eachHalf(population, folder string, list []labelled, inputs func(dir string, p *labelled) []*input) (all []*batch) {
	for _, half := range halves {
		var names []*labelled
		for i := range list {
			if list[i].Half == half {
				names = append(names, &list[i])
			}
		}
		if len(names) > 0 {
			all = append(all, &batch{population: population, half: half, archive: filepath.Join(folder, cmp.Or(half, "all")+".tar.xz"),
				inputs: func(_ *testing.T, dir string) (found []*input) {
					for _, p := range names {
						found = append(found, inputs(filepath.Join(dir, p.Name), p)...)
					}
					return found
				}})
		}
	}
	return all
}

// published are the bugs of public modules, each captured with the bug and without it.
func published(captures string) func(t *testing.T, population string) []*batch {
	return func(t *testing.T, population string) (all []*batch) {
		var list []labelled
		readYAML(t, wildBugs, &list)
		return eachHalf(population, filepath.Join(captures, "bugs"), list, func(dir string, bug *labelled) (inputs []*input) {
			for _, mode := range []string{"plain", "collected"} {
				inputs = append(inputs, captured(filepath.Join(dir, "bad", mode), bug.Name, "bad/"+mode, bug.guilty())...)
				inputs = append(inputs, captured(filepath.Join(dir, "fixed", mode), bug.Name, "fixed/"+mode, bug.well())...)
			}
			bug.hide(inputs)
			return inputs
		})
	}
}

// tempting are healthy programs that look as if something were wrong.
func tempting(captures string) func(t *testing.T, population string) []*batch {
	return func(t *testing.T, population string) (all []*batch) {
		var programs []labelled
		readYAML(t, wildWell, &programs)
		return eachHalf(population, filepath.Join(captures, "healthy"), programs, func(dir string, p *labelled) (inputs []*input) {
			for _, mode := range []string{"plain", "collected"} {
				processes, err := filepath.Glob(filepath.Join(dir, "*", mode))
				if err != nil {
					t.Error(err)
				}
				for _, process := range processes {
					release := filepath.Base(filepath.Dir(process))
					inputs = append(inputs, captured(process, p.Name, release+"/"+mode, p.well())...)
				}
			}
			return inputs
		})
	}
}

// servers are servers and tools that everybody runs, at work.
func servers(_ *testing.T, population string) []*batch {
	return []*batch{{population: population, archive: filepath.Join(wildDir, "servers", "all.tar.xz"),
		inputs: func(t *testing.T, dir string) (inputs []*input) {
			folders, err := os.ReadDir(dir)
			if err != nil {
				t.Error(err)
			}
			for _, folder := range folders {
				inputs = append(inputs, captured(filepath.Join(dir, folder.Name()), folder.Name(), "", nothing())...)
			}
			return inputs
		}}}
}

// aged are programs that are twenty minutes old.
func aged(t *testing.T, population string) (all []*batch) {
	var programs []labelled
	readYAML(t, agedLabels, &programs)
	return eachHalf(population, agedDir, programs, func(dir string, p *labelled) []*input {
		return captured(dir, p.Name, "", p.label())
	})
}
