package accuracy

import (
	"cmp"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
)

const (
	servicesDir = testdata + "/services"
	servicesGen = testdata + "/gen/services"
	codedDir    = testdata + "/coded"
	codedGen    = testdata + "/gen/coded"
	bookDir     = testdata + "/textbook"
	bookGen     = testdata + "/gen/textbook"
	busyDir     = testdata + "/wild/busy"
	millsDir    = testdata + "/mills"
	busyLabels  = testdata + "/gen/busy/labels.yaml"
)

// services are the halves of a list of small services, without and with their source. Names, categories, functions and
// severities are in the first columns of the list; one with seven columns has a healthy twin of each, NAME-fixed.
func services(list, prefix string) func(t *testing.T, population string) []*batch {
	return func(t *testing.T, population string) (all []*batch) {
		rows := readTSV(t, filepath.Join(servicesGen, list))
		for _, half := range []string{"first", "second"} {
			all = append(all, &batch{population: population, half: half,
				archive: filepath.Join(servicesDir, prefix+half+".tar.xz"),
				inputs: func(t *testing.T, dir string) (inputs []*input) {
					for _, row := range rows {
						if serviceHalf(row[0]) != half {
							continue
						}
						inputs = append(inputs, ofReleases(t, filepath.Join(dir, row[0]), row[0], serviceLabel(row), servicesGen)...)
						if len(row) == 7 {
							name := row[0] + "-fixed"
							inputs = append(inputs, ofReleases(t, filepath.Join(dir, name), name, nothing(), servicesGen)...)
						}
					}
					return inputs
				}})
		}
		return all
	}
}

// serviceHalf is the half that a service's name decides.
func serviceHalf(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	if h.Sum32()%2 == 1 {
		return "second"
	}
	return "first"
}

func serviceLabel(row []string) *label {
	if row[2] == "-" {
		return nothing()
	}
	return newLabel(strings.Split(row[1], ","), strings.Split(row[2], "|"), "", rules.Severity(row[3]))
}

// ofReleases are the captures of a program in a folder, built with one release of Go after the other, each without and
// with its source.
func ofReleases(t *testing.T, dir, program string, l *label, source ...string) (inputs []*input) {
	releases, err := os.ReadDir(dir)
	if err != nil {
		t.Errorf("%s has no captures: %v", program, err)
	}
	for _, release := range releases {
		process := filepath.Join(dir, release.Name())
		inputs = append(inputs, captured(process, program, release.Name(), l)...)
		inputs = append(inputs, captured(process, program, release.Name(), l, source...)...)
	}
	return inputs
}

// readTSV reads the rows of a table but for comments and the header.
func readTSV(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
	}
	if len(rows) > 0 && slices.Contains([]string{"name", "file"}, rows[0][0]) {
		rows = rows[1:]
	}
	return rows
}

// coded are programs that are judged with their source, and without it.
func coded(t *testing.T, population string) (all []*batch) {
	for _, half := range []string{"seen", "unseen"} {
		var programs []labelled
		readYAML(t, filepath.Join(codedGen, half, "labels.yaml"), &programs)
		for i := range programs {
			programs[i].Half = half
		}
		all = append(all, eachHalf(population, codedDir, programs, func(dir string, p *labelled) []*input {
			inputs := ofReleases(t, dir, p.Name, p.label(), codedGen)
			p.hide(inputs)
			return inputs
		})...)
	}
	return all
}

// textbook are small programs with a fault that every engineer knows by name, and healthy look-alikes, without and with
// their source.
func textbook(t *testing.T, population string) (all []*batch) {
	for _, half := range []string{"first", "second", "third"} {
		all = append(all, listed(t, population, half, filepath.Join(bookDir, half), filepath.Join(bookGen, half)))
	}
	return all
}

// mistakes are programs that use well-known libraries. The third half has a list of its own.
func mistakes(t *testing.T, population string) []*batch {
	return append(services("everyday.tsv", "everyday-")(t, population),
		listed(t, population, "third", servicesDir+"/everyday-third", servicesGen+"/everyday-third"))
}

// listed is a half with a list of its own, gen.tsv, beside the source of its programs. Where gen.tar.xz has them, they
// are in no folder.
func listed(t *testing.T, population, half, captured, gen string) *batch {
	rows := readTSV(t, gen+".tsv")
	return &batch{population: population, half: half, archive: captured + ".tar.xz",
		inputs: func(t *testing.T, dir string) (inputs []*input) {
			source := []string{filepath.Dir(gen)}
			if _, err := os.Stat(gen + ".tar.xz"); err == nil {
				source = []string{captures.Unpack(t, gen+".tar.xz"), filepath.Dir(gen)}
			}
			for _, row := range rows {
				for _, in := range ofReleases(t, filepath.Join(dir, row[0]), row[0], serviceLabel(row), source...) {
					in.hidden = !in.label.isHealthy() && !shows(row[1], in.form)
					inputs = append(inputs, in)
				}
			}
			return inputs
		}}
}

// shows reports whether a form can show a fault of some categories: profiles of goroutines have no state in which one
// spins, and of what is kept in memory, or takes more of a CPU than it needs, dumps have nothing.
func shows(categories, form string) bool {
	switch {
	case strings.Contains(categories, "memory"):
		return form == "heap"
	case strings.HasPrefix(categories, "hot-cpu"):
		return form == "cpu"
	case strings.Contains(categories, "spin"):
		return form != "debug1" && form != "goroutine"
	}
	return true
}

// A busyService is a record of the list of services that are busy.
type busyService struct {
	Name, Half, Kind, Culprit string
	Accept                    []string
	// Forms are the captures that can show the fault, with the least severity that it should have there.
	Forms map[string]rules.Severity
	// Corrected are the forms of a healthy service about which an alarm is true.
	Corrected map[string]rules.Severity
}

// busyCategories are those of findings that name a kind of fault.
var busyCategories = map[string][]string{
	"spin": {"spin", "hot-cpu", "deadlock", "contention", "gc"},
	"hot":  {"hot-cpu", "gc", "contention", "memory", "spin"},
	"heap": {"memory"},
}

// label is that of one form of a service.
func (s *busyService) label(form string) *label {
	if s.Kind == "well" {
		if _, ok := s.Corrected[form]; ok {
			return nothing(busyCategories["hot"]...)
		}
		return nothing()
	}
	return newLabel(busyCategories[s.Kind], append([]string{s.Culprit}, s.Accept...), "example.com/busy",
		cmp.Or(s.Forms[form], rules.Low))
}

// busy are services that spin, waste CPU, hoard memory, or do useful work and look as if they did one of these. Those of
// the half "full" had a core to themselves.
func busy(t *testing.T, population string) (all []*batch) {
	var services []busyService
	readYAML(t, busyLabels, &services)
	for half, dir := range map[string]string{"first": busyDir, "second": busyDir, "full": millsDir} {
		all = append(all, &batch{population: population, half: half, archive: filepath.Join(dir, half+".tar.xz"),
			inputs: func(_ *testing.T, dir string) (inputs []*input) {
				for _, s := range services {
					if s.Half != half {
						continue
					}
					for _, in := range captured(filepath.Join(dir, s.Name), s.Name, "", nil) {
						in.label = s.label(in.form)
						_, shown := s.Forms[in.form]
						in.hidden = s.Kind != "well" && !shown
						inputs = append(inputs, in)
					}
				}
				return inputs
			}})
	}
	slices.SortFunc(all, func(a, b *batch) int { return cmp.Compare(a.half, b.half) })
	return all
}
