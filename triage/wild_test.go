package triage_test

import (
	"archive/tar"
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

var (
	updateWild = flag.Bool("update", false, "write docs/wild.md and docs/cluster.md, and the first verdicts of inputs that have none")
	// A part of the lab is for development: its verdicts are printed, and nothing is compared or written.
	onlyHalf = flag.String("half", "",
		"print the verdicts about some of the bugs, or about one variant of the faults, only: first, second, third, fourth or fifth")
	wildFrom = flag.String("from", wildDir, "the folder with the captures whose verdicts are printed")
	onlyBug  = flag.String("bug", "", "print the verdicts about one bug or fault only")

	onlyServer = flag.String("server", "", "print the goroutines without a role of one server, or of all")
)

const (
	wildDir    = "../testdata/wild"
	wildBugs   = "../testdata/gen/wild/bugs.yaml"
	wildFirst  = wildDir + "/first.tsv"
	wildReport = "../docs/wild.md"
)

// wildForms are the inputs that one process gives: the files of each form.
var wildForms = []struct {
	name  string
	files []string
}{
	{"debug2", []string{"debug2.txt"}},
	{"two", []string{"debug2.txt", "debug2-later.txt"}},
	{"debug1", []string{"debug1.txt"}},
	{"goroutine", []string{"goroutine.pb"}},
	{"signal", []string{"signal.txt"}},
	{"cpu", []string{"cpu.pb"}},
	{"heap", []string{"heap.pb"}},
	{"allocs", []string{"allocs.pb"}},
	{"mutex", []string{"mutex.pb"}},
	{"block", []string{"block.pb"}},
	{"fetch", []string{"fetch"}},
	{"crash", []string{"signal.txt"}},
}

// raceDetector reports whether the tests run under it: what is replayed from one goroutine shows it nothing.
const raceDetector = triage.RaceDetector

// A wildInput is one form of one process, judged.
type wildInput struct {
	bug     *wildBug
	variant string // bad or fixed
	mode    string // plain, or collected: a process that ran the garbage collector
	form    string
	verdict string
	// corrected is the verdict by the label with its corrections.
	corrected string
	accused   string // what is accused wrongly with high severity or more
	alarm     string // of the fixed version: what has more than low severity
	graded    []gradedFinding
	source    []string // the folders with its program's source; none where it is judged without
}

// A gradedFinding is whether a finding of some severity was true.
type gradedFinding struct {
	severity rules.Severity
	right    bool
}

// name is the input's name in first.tsv.
func (in *wildInput) name() string {
	return strings.Join([]string{in.bug.Name, in.variant, in.mode, in.form}, "/")
}

// The verdicts about an input of the version with the bug.
const (
	verdictFirst  = "first"        // the first finding names it with enough severity
	verdictThird  = "second-third" // one of the first three does
	verdictLater  = "later"        // another one does
	verdictMild   = "mild"         // named, with too little severity
	verdictMissed = "missed"
	verdictSilent = "silent" // the form can't show it, and nothing else is accused
	verdictWrong  = "wrong"  // the form can't show it, and something else is accused
	verdictQuiet  = "quiet"  // of the fixed version: nothing above low
	verdictAlarm  = "alarm"
)

// TestTheLabIsJudgedAsDocumented replays all captures of published bugs and compares what comes of them with
// docs/wild.md.
func TestTheLabIsJudgedAsDocumented(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	bugs := readWildBugs(t, wildBugs)
	if *onlyHalf != "" || *onlyBug != "" {
		printWild(t, bugs)
		return
	}
	inputs := replayWild(t, wildDir, bugs, nil)
	first := firstVerdicts(t, wildFirst, inputs)
	if n := countFirst(first, false); n != len(inputs) {
		t.Errorf("%d first verdicts about %d inputs: an input is gone, or %s was rewritten", n, len(inputs), wildFirst)
	}
	comparePart(t, false, wildTable(inputs, first, healthyInputs(t)))
	compareReadme(t, readmeFigures(inputs))
}

// comparePart compares one of the two parts of docs/wild.md, that about bugs or that about servers, with what it should
// be.
func comparePart(t *testing.T, servers bool, fresh string) {
	t.Helper()
	old, err := os.ReadFile(wildReport)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(old), serversTitle)
	if at < 0 {
		at = len(old)
	}
	whole := fresh + string(old[at:])
	if servers {
		whole = string(old[:at]) + fresh
	}
	compareFile(t, wildReport, whole)
}

// compareFile compares a file with what it should be, or writes it.
func compareFile(t *testing.T, file, fresh string) {
	t.Helper()
	if *updateWild {
		if err := os.WriteFile(file, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(old) != fresh {
		t.Errorf("%s is stale: go test ./triage -run %s -update, and read what changed", file, t.Name())
	}
}

// countFirst counts the first verdicts about servers, or about bugs.
func countFirst(first map[string]string, servers bool) int {
	n := 0
	for input := range first {
		if strings.HasPrefix(input, "servers/") == servers {
			n++
		}
	}
	return n
}

// printWild prints the verdicts about some of the bugs: the inputs that are not as they should be, and the figures. Of
// the set to measure with it prints the figures alone, and none about a single bug.
func printWild(t *testing.T, bugs []wildBug) {
	t.Helper()
	inputs := replayWild(t, *wildFrom, slices.DeleteFunc(bugs, func(b wildBug) bool {
		return *onlyHalf != "" && b.Half != *onlyHalf || *onlyBug != "" && (b.Name != *onlyBug || b.Half == unnamedSet)
	}), nil)
	for _, in := range inputs {
		switch in.verdict {
		case verdictFirst, verdictSilent, verdictQuiet:
			continue
		}
		if in.bug.Half == unnamedSet {
			continue // its figures are printed below
		}
		fmt.Printf("%s\t%s\t%s\n", in.name(), in.verdict, cmp.Or(in.accused, in.alarm))
	}
	var b strings.Builder
	writeFigures(&b, inputs, func(in *wildInput) string { return in.verdict }, asFrozen)
	writePrecision(&b, inputs)
	fmt.Print(b.String())
}

// replayWild judges every capture in a folder, in order of bugs and forms. A bug's source is in the folders that
// sources returns, if it isn't nil.
func replayWild(t *testing.T, captures string, bugs []wildBug, sources func(list, name string) []string) []*wildInput {
	t.Helper()
	var inputs []*wildInput
	for i := range bugs {
		archive := filepath.Join(captures, "bugs", bugs[i].Name+".tar.xz")
		if _, err := os.Stat(archive); errors.Is(err, fs.ErrNotExist) {
			continue // not captured yet: docs/wild.md counts those that are
		}
		dir := unpacked(t, archive)
		for _, variant := range []string{"bad", "fixed"} {
			for _, mode := range []string{"plain", "collected"} {
				for _, form := range wildForms {
					// What a process prints when it dies is a crash or the answer to a signal.
					if bugs[i].Kind == "crash" && form.name == "signal" || bugs[i].Kind != "crash" && form.name == "crash" {
						continue
					}
					files := slices.Clone(form.files)
					for k := range files {
						files[k] = filepath.Join(dir, variant, mode, files[k])
					}
					if _, err := os.Stat(files[len(files)-1]); err != nil {
						continue
					}
					in := &wildInput{bug: &bugs[i], variant: variant, mode: mode, form: form.name}
					if sources != nil {
						in.source = sources("bugs", bugs[i].Name)
					}
					in.judge(t, files)
					inputs = append(inputs, in)
				}
			}
		}
	}
	return inputs
}

// judge runs triage over the files and holds the report against the label.
func (in *wildInput) judge(t *testing.T, files []string) {
	t.Helper()
	r, err := triage.Run(context.Background(), triage.Options{Inputs: files, Source: in.source})
	if err != nil {
		t.Fatalf("%s: %v", in.name(), err)
	}
	label := in.bug
	if in.variant == "fixed" {
		label = nil
		in.verdict = verdictQuiet
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		right := label != nil && label.names(f)
		in.graded = append(in.graded, gradedFinding{f.Severity, right})
		contended := in.bug.Contended && f.Category == "contention"
		if label == nil && f.Severity.Rank() > rules.Low.Rank() && in.alarm == "" && !contended {
			in.verdict, in.alarm = verdictAlarm, fmt.Sprintf("%s %s %s", f.Severity, f.Name, f.Culprit.Function)
		}
	}
	if label == nil {
		return
	}
	in.accused = label.accused(r)
	place, severity := label.rightAt(r)
	in.verdict = in.verdictBy(label, place, severity)
	in.corrected = in.verdictBy(label.corrected(), place, severity)
}

// verdictBy is the verdict by a label about a report that names the bug at a place, from 1 on, with a severity.
func (in *wildInput) verdictBy(label *wildBug, place int, severity rules.Severity) string {
	switch {
	case place == 0 && in.shownBy(label):
		return verdictMissed
	case place == 0 && in.accused != "":
		return verdictWrong
	case place == 0:
		return verdictSilent
	case severity.Rank() < label.Least.Rank():
		return verdictMild
	case place == 1:
		return verdictFirst
	case place <= 3:
		return verdictThird
	}
	return verdictLater
}

// shownBy reports whether by a label the form can show the bug.
func (in *wildInput) shownBy(label *wildBug) bool { return slices.Contains(label.Forms, in.form) }

// unpacked is a folder with the files of an archive of this repository.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := xz.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for files := tar.NewReader(x); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil || !filepath.IsLocal(h.Name) {
			t.Fatalf("%s: %v, %q", archive, err, h.Name)
		}
		data, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// firstVerdicts reads a file with the first verdict of each input, and adds those that are missing if it may write.
func firstVerdicts(t *testing.T, file string, inputs []*wildInput) map[string]string {
	t.Helper()
	first := readFirst(t, file)
	for _, in := range inputs {
		if _, ok := first[in.name()]; !ok && *updateWild {
			first[in.name()] = in.verdict
			appendFirst(t, file, in.name(), in.verdict)
		} else if !ok {
			t.Errorf("%s has no first verdict in %s: -update", in.name(), file)
		}
	}
	return first
}

// readFirst reads the first verdict of each input.
func readFirst(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	first := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if input, verdict, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			first[input] = verdict
		}
	}
	return first
}

// appendFirst records the first verdict of an input: what is there is never changed.
func appendFirst(t *testing.T, file, input, verdict string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(f, "%s\t%s\n", input, verdict)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestTheLabsCapturesTakeLessThan15MB(t *testing.T) { checkSize(t, wildDir, 15_000_000) }

// checkSize fails where a folder has no files, or files of limit bytes or more together.
func checkSize(t *testing.T, dir string, limit int64) {
	t.Helper()
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil || sum == 0 || sum >= limit {
		t.Errorf("%d bytes of captures in %s, want less than %d: %v", sum, dir, limit, err)
	}
}
