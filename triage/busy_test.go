package triage_test

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const (
	busyLabels = "../testdata/gen/busy/labels.yaml"
	busyDir    = wildDir + "/busy"
	millsDir   = "../testdata/mills"
)

// A busyService is one record of the list of services that are busy: some do useful work, some spin, waste or hoard.
// testdata/gen/busy/README.md describes the keys.
type busyService struct {
	Name, Half, Kind, Culprit string
	Accept                    []string
	// Forms are the captures that can show the fault, with the least severity that it should have there.
	Forms map[string]rules.Severity
	// Corrected is what may be reported about a healthy service in some form, where the label turned out wrong; Note says
	// why.
	Corrected        map[string]rules.Severity
	Why, Fools, Note string
}

// A busyInput is one form of one service, judged.
type busyInput struct {
	service       *busyService
	form, verdict string
	said          string // what is reported first, for people
}

func (in *busyInput) name() string { return in.service.Name + "/" + in.form }

// busyStarved is the CPU below which a profile can't show how severe something is: the machine that captured them had
// forty processes for two processors, and gave what spins 0.03 to 0.6 of one.
const busyStarved = 0.5

// fullCore is the half of the services of package mills, which all are healthy and have a core to themselves.
const fullCore = "full"

// busyForms are the forms of a service that are judged: the heap of what is about the heap, and of healthy ones.
var busyForms = []string{"debug2", "two", "signal", "cpu", "heap"}

// TestBusyServicesAreJudgedAsRecorded replays the captures of busy services: no healthy one has an alarm, and the number
// of guilty ones that are named is the recorded one. Only counts are recorded, so that nobody learns
// which of the second half are missed.
func TestBusyServicesAreJudgedAsRecorded(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	var inputs []*busyInput
	for _, half := range []string{"first", "second", fullCore} {
		if *onlyHalf != "" && *onlyHalf != half {
			continue
		}
		inputs = append(inputs, replayBusy(t, half)...)
	}
	for _, in := range inputs {
		if in.verdict == verdictAlarm {
			t.Errorf("an alarm about a healthy service of the %s half: -args -half first names those of that",
				in.service.Half)
		}
		if *onlyHalf != "" && in.verdict != verdictFirst && in.verdict != verdictSilent && in.verdict != verdictQuiet {
			fmt.Printf("%s\t%s\t%s\n", in.name(), in.verdict, in.said)
		}
	}
	figures := busyFigures(inputs)
	if *onlyHalf != "" {
		fmt.Print(figures)
		return
	}
	compareFile(t, busyDir+"/figures.tsv", figures)
	checkFirstContact(t, inputs)
}

// checkFirstContact checks that the first verdicts are about the inputs that there are. They are written once, and
// never rewritten.
func checkFirstContact(t *testing.T, inputs []*busyInput) {
	t.Helper()
	file := busyDir + "/first.tsv"
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && *updateWild {
		for _, in := range inputs {
			data = fmt.Appendf(data, "%s\t%s\n", in.name(), in.verdict)
		}
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		if !strings.Contains("\n"+string(data), "\n"+in.name()+"\t") {
			t.Errorf("%s has no first verdict", in.name())
		}
	}
}

// replayBusy judges the captures of one half.
func replayBusy(t *testing.T, half string) (inputs []*busyInput) {
	t.Helper()
	folder := busyDir
	if half == fullCore {
		folder = millsDir
	}
	dir := unpacked(t, filepath.Join(folder, half+".tar.xz"))
	for _, s := range readBusy(t) {
		if s.Half != half || *onlyBug != "" && s.Name != *onlyBug {
			continue
		}
		for _, form := range busyForms {
			files := []string{form + ".txt"}
			switch form {
			case "two":
				files = []string{"debug2.txt", "debug2-later.txt"}
			case "cpu", "heap":
				files = []string{form + ".pb"}
			}
			for i := range files {
				files[i] = filepath.Join(dir, s.Name, files[i])
			}
			if _, err := os.Stat(files[0]); err != nil {
				continue
			}
			in := &busyInput{service: &s, form: form}
			in.judge(t, files)
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// readBusy reads the list.
func readBusy(t *testing.T) []busyService {
	t.Helper()
	data, err := os.ReadFile(busyLabels)
	if err != nil {
		t.Fatal(err)
	}
	var all []busyService
	if err := yaml.UnmarshalWithOptions(data, &all, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		hash := fnv.New32a()
		hash.Write([]byte(s.Name))
		half := "first"
		if hash.Sum32() >= 1<<31 {
			half = "second"
		}
		if s.Half == fullCore && s.Kind == "well" {
			half = fullCore
		}
		if s.Half != half || (s.Kind == "well") != (s.Culprit == "") || (s.Kind == "well") != (len(s.Forms) == 0) {
			t.Errorf("%+v: its half is %s", s, half)
		}
	}
	return all
}

// judge runs triage over the files and holds the report against the label.
func (in *busyInput) judge(t *testing.T, files []string) {
	t.Helper()
	r, err := triage.Run(t.Context(), triage.Options{Inputs: files})
	if err != nil {
		t.Fatalf("%s: %v", in.name(), err)
	}
	if len(r.Findings) > 0 {
		f := &r.Findings[0]
		in.said = fmt.Sprintf("%s %s %s", f.Severity, f.Name, f.Culprit.Function)
	}
	if in.service.Kind == "well" {
		in.verdict = verdictQuiet
		for i := range r.Findings {
			most := cmp.Or(in.service.Corrected[in.form], rules.Low)
			if f := &r.Findings[i]; f.Alarm() && f.Severity.Rank() > most.Rank() {
				in.verdict = verdictAlarm
			}
		}
		return
	}
	label := in.service.label()
	least, shown := in.service.Forms[in.form]
	if in.form == "cpu" && len(r.Profiles) > 0 && r.Profiles[0].Cores < busyStarved {
		least = rules.Low
	}
	place, severity := label.rightAt(r)
	if place == 0 {
		place, severity = label.leadAt(r), rules.Low
	}
	switch {
	case place == 0 && label.accused(r) != "":
		in.verdict = verdictWrong
	case !shown:
		in.verdict = verdictSilent
	case place == 0:
		in.verdict = verdictMissed
	case severity.Rank() < least.Rank():
		in.verdict = verdictMild
	case place == 1:
		in.verdict = verdictFirst
	case place <= 3:
		in.verdict = verdictThird
	default:
		in.verdict = verdictLater
	}
}

// leadAt returns the place of the first lead of a report that is at one of the bug's functions, from 1; 0 for none.
func (b *wildBug) leadAt(r *schema.Report) int {
	return 1 + slices.IndexFunc(r.Leads, func(l schema.Lead) bool {
		return l.Culprit != nil && b.names(&rules.Finding{Category: rules.Category(b.Category), Culprit: *l.Culprit})
	})
}

// label is the service's label in the form of a published bug's.
func (s *busyService) label() *wildBug {
	b := &wildBug{Name: s.Name, Module: "example.com/busy", Category: string(rules.Spin),
		Culprit: []string{s.Culprit}, Accept: s.Accept}
	switch s.Kind {
	case "spin":
		b.Also = []string{string(rules.HotCPU), string(rules.Deadlock), string(rules.Contention), string(rules.GC)}
	case "hot":
		b.Category = string(rules.HotCPU)
		b.Also = []string{string(rules.GC), string(rules.Contention), string(rules.Memory), string(rules.Spin)}
	case "heap":
		b.Category = string(rules.Memory)
	}
	return b
}

// busyFigures are lines of half, kind, form, inputs that show the fault, of them named first, named at all, accused
// wrongly, and alarms; tab separated.
func busyFigures(inputs []*busyInput) string {
	type row struct{ shown, first, named, wrong, alarms, all int }
	rows := map[string]*row{}
	var order []string
	for _, in := range inputs {
		key := strings.Join([]string{in.service.Half, in.service.Kind, in.form}, "\t")
		r := rows[key]
		if r == nil {
			r = &row{}
			rows[key], order = r, append(order, key)
		}
		r.all++
		switch in.verdict {
		case verdictFirst:
			r.first++
			fallthrough
		case verdictThird, verdictLater, verdictMild:
			r.named++
		case verdictWrong:
			r.wrong++
		case verdictAlarm:
			r.alarms++
		}
		if _, ok := in.service.Forms[in.form]; ok {
			r.shown++
		}
	}
	slices.Sort(order)
	var b strings.Builder
	b.WriteString("half\tkind\tform\tinputs\tshow it\tfirst\tnamed\twrong\talarms\n")
	for _, key := range order {
		r := rows[key]
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", key, r.all, r.shown, r.first, r.named, r.wrong, r.alarms)
	}
	return b.String()
}
