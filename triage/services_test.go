package triage_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const (
	servicesList = "../testdata/gen/services/labels.tsv"
	servicesDir  = "../testdata/services"
	// servicesSource has the source of all services, and of the reported programs.
	servicesSource = "../testdata/gen/services"
	withSource     = " with source"
)

// A service is one row of the list of small services: what its captures should show, written before the first was taken.
type service struct {
	name, half string
	categories []string // any is right; none for a healthy service
	culprits   []string // any is right
	least      rules.Severity
	why        string
	// strict counts accusations as well: inputs in which a finding above low names what no label accepts, whatever else
	// is found.
	strict bool
}

// A serviceForm is an input that a process of a service gives.
type serviceForm struct {
	name  string
	files []string
}

var serviceForms = []serviceForm{
	{"debug2", []string{"debug2.txt"}},
	{"two", []string{"debug2.txt", "debug2-later.txt"}},
	{"debug1", []string{"debug1.txt"}},
	{"signal", []string{"signal.txt"}},
}

// leastServices are how many inputs of each half have the cause first, which a change may not lower.
var leastServices = map[string]int{
	"first": 204, "second": 146, "first" + withSource: 206, "second" + withSource: 165,
}

// TestServices replays the captures of small services, of which each waits for ever in a way of its own, or only looks
// as if it did. Both halves are for development: the second one has been measured too often to be unseen, so its
// verdicts are printed as well. What rules generalise to is measured by the closed half of TestReported.
func TestServices(t *testing.T) {
	if raceDetector {
		t.Skip("the captures are replayed once, without the race detector")
	}
	var all []service
	for _, cells := range readLabels(t, servicesList, 5) {
		all = append(all, serviceOf(cells, cells[4]))
	}
	replayHalves(t, all, "", serviceForms, leastServices, nil)
}

// replayHalves judges the captures of each half, without their source and with it. least is how many inputs of it have
// the cause first, as measured. Of the closed halves the counts are printed and nothing else, so that rules are not
// fitted to them.
func replayHalves(
	t *testing.T, all []service, prefix string, forms []serviceForm, least map[string]int, closed []string,
) {
	t.Helper()
	for _, half := range []string{"first", "second"} {
		if *onlyHalf != "" && *onlyHalf != half {
			continue
		}
		dir := unpacked(t, filepath.Join(servicesDir, prefix+half+".tar.xz"))
		for _, judged := range []string{half, half + withSource} {
			var source []string
			if judged != half {
				source = []string{servicesSource}
			}
			verdicts := make([][]string, len(all))
			parallel.Each(len(all), func(i int) {
				if s := &all[i]; s.half == half {
					verdicts[i] = s.replay(t, dir, forms, source, !slices.Contains(closed, half))
				}
			})
			score := map[string]int{}
			for _, verdict := range slices.Concat(verdicts...) {
				score[verdict]++
			}
			t.Logf("%s: %v", judged, score)
			if n := score["first"]; n < least[judged] {
				t.Errorf("%s: the cause is first in %d inputs, it was in %d", judged, n, least[judged])
			}
			if n := score["alarm"]; n > 0 {
				t.Errorf("%s: %d inputs of healthy services give an alarm", judged, n)
			}
		}
	}
}

// readLabels reads the rows of a list of services, but for its header, of so many cells each.
func readLabels(t *testing.T, list string, cells int) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if len(row) != cells {
			t.Fatalf("%s: %d cells: %q", list, len(row), line)
		}
		if row[0] != "name" {
			rows = append(rows, row)
		}
	}
	return rows
}

// serviceOf is the service of a row, which begins with its name, categories, culprits and least severity.
func serviceOf(row []string, why string) service {
	h := fnv.New32a()
	h.Write([]byte(row[0]))
	s := service{name: row[0], half: "first", least: rules.Severity(row[3]), why: why}
	if h.Sum32()%2 == 1 {
		s.half = "second"
	}
	if row[1] != "none" {
		s.categories, s.culprits = strings.Split(row[1], ","), strings.Split(row[2], "|")
	}
	return s
}

// replay judges all captures of a service. shown prints the verdicts that are not right.
func (s *service) replay(
	t *testing.T, dir string, forms []serviceForm, source []string, shown bool,
) (verdicts []string) {
	t.Helper()
	releases, err := filepath.Glob(filepath.Join(dir, s.name, "*"))
	if err != nil || len(releases) == 0 {
		t.Errorf("%s has no captures: %v", s.name, err)
	}
	for _, release := range releases {
		for _, form := range forms {
			files := slices.Clone(form.files)
			for i := range files {
				files[i] = filepath.Join(release, files[i])
			}
			r, err := triage.Run(context.Background(), triage.Options{Inputs: files, Source: source})
			if err != nil {
				t.Errorf("%s: %v", files, err)
				continue
			}
			verdict, seen := s.judge(r)
			verdicts = append(verdicts, verdict)
			if others := s.accused(r); len(others) > 0 && s.strict {
				verdicts = append(verdicts, verdictAccused)
				if shown {
					t.Logf("%s %s %s: accused: %s", s.name, filepath.Base(release), form.name, others)
				}
			}
			if shown && !slices.Contains([]string{verdictFirst, verdictQuiet}, verdict) {
				t.Logf("%s %s %s: %s: %s", s.name, filepath.Base(release), form.name, verdict, seen)
			}
		}
	}
	return verdicts
}

// judge reports how a report holds against the label, and what it has first.
func (s *service) judge(r *schema.Report) (verdict, seen string) {
	seen = "nothing"
	if len(r.Findings) > 0 {
		seen = findingLine(&r.Findings[0])
	}
	if s.categories == nil {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Severity.Rank() > rules.Low.Rank() {
				return verdictAlarm, findingLine(f)
			}
		}
		return verdictQuiet, seen
	}
	at := slices.IndexFunc(r.Findings, s.names)
	switch {
	case at < 0 && len(r.Findings) > 0 && r.Findings[0].Severity.Rank() >= rules.High.Rank():
		return verdictWrong, seen
	case at < 0:
		return verdictMissed, seen
	case r.Findings[at].Severity.Rank() < s.least.Rank():
		return verdictMild, findingLine(&r.Findings[at])
	case at == 0:
		return verdictFirst, seen
	case at < 3:
		return verdictThird, seen
	}
	return verdictLater, seen
}

// verdictAccused counts beside the other verdicts.
const verdictAccused = "accused"

// accused are the findings above low of a guilty service that name what its label does not accept.
func (s *service) accused(r *schema.Report) (lines []string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if s.categories != nil && f.Severity.Rank() > rules.Low.Rank() && !s.names(*f) {
			lines = append(lines, findingLine(f))
		}
	}
	return lines
}

func (s *service) names(f rules.Finding) bool {
	fn := symbol.ShortFunc(symbol.Base(symbol.StripVendor(f.Culprit.Function)))
	return slices.Contains(s.categories, string(f.Category)) &&
		slices.ContainsFunc(s.culprits, func(want string) bool { return symbol.Base(want) == fn })
}

func findingLine(f *rules.Finding) string {
	return fmt.Sprintf("%s %s at %s", f.Severity, f.Name, f.Culprit.Function)
}
