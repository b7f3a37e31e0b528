package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/cmd/triage/testdata/hostile"
)

// A hostileRun is one command over one hostile input.
type hostileRun struct {
	name string
	args []string // IN and OUT are files
	json bool     // of what it prints
}

// The first two run over all small inputs, all of them over one in five.
var hostileRuns = []hostileRun{
	{"report", []string{"--all", "-o", "text", "-o", "json=OUT", "IN"}, false},
	{"redact", []string{"redact", "IN", "OUT"}, false},
	{"list", []string{"--list", "-o", "json", "IN"}, true},
	{"audit", []string{"audit", "IN"}, false},
}

const (
	// maxPeak bounds the memory of one run over an input below 200 MB, in bytes (docs/formats.md).
	maxPeak = 512e6
	// maxReport bounds a JSON report, in bytes.
	maxReport = 50e6
	// hostileSeeds names the variable with the seed of the inputs, hostileBig the one that makes the big ones run.
	hostileSeeds, hostileBig = "TRIAGE_HOSTILE_SEED", "TRIAGE_HOSTILE_BIG"
)

// hostileSeed is 1, or what the environment says: the seed of a failure is in the name of its test.
func hostileSeed(t *testing.T) uint64 {
	text := os.Getenv(hostileSeeds)
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

func TestHostileInputsBreakNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	seed := hostileSeed(t)
	inputs := hostile.Small(seed)
	if len(inputs) < 150 {
		t.Errorf("%d hostile inputs, want at least 150", len(inputs))
	}
	for i, in := range inputs {
		t.Run(fmt.Sprintf("seed %d/%s", seed, in.Name), func(t *testing.T) {
			t.Parallel()
			runs := hostileRuns[:2]
			if raceDetector {
				runs = runs[:1]
			} else if i%5 == 0 {
				runs = hostileRuns
			}
			lab := newHostileLab(t, in)
			for _, run := range runs {
				got := lab.run(t, run, 5*time.Minute)
				got.check(t, in, run)
			}
		})
	}
}

// The big ones run one after the other, and list the worst in memory and in processor time.
func TestBigHostileInputsStayWithinTheLimits(t *testing.T) {
	if os.Getenv(hostileBig) == "" {
		t.Skip(hostileBig + " is not set: it takes a quarter of an hour and 4 GB of disk")
	}
	type figure struct {
		name string
		hostileOutcome
	}
	var all []figure
	for _, in := range hostile.Big(hostileSeed(t)) {
		t.Run(in.Name, func(t *testing.T) {
			lab := newHostileLab(t, in)
			for _, run := range hostileRuns[:2] {
				got := lab.run(t, run, time.Hour) // a machine under load is slow: only what hangs takes that long
				got.check(t, in, run)
				got.out, got.err, got.report = nil, nil, nil
				all = append(all, figure{run.name + " " + in.Name, got})
			}
		})
	}
	for _, by := range []struct {
		name string
		less func(a, b figure) int
	}{
		{"memory", func(a, b figure) int { return cmp.Compare(b.peak, a.peak) }},
		{"processor time", func(a, b figure) int { return cmp.Compare(b.cpu, a.cpu) }},
	} {
		slices.SortFunc(all, by.less)
		t.Logf("the worst in %s:", by.name)
		for _, f := range all[:min(len(all), 10)] {
			t.Logf("%4d MB %6.1f s  %s", f.peak/1e6, f.cpu.Seconds(), f.name)
		}
	}
}

// A hostileOutcome is what a run left behind.
type hostileOutcome struct {
	out, err []byte
	report   []byte // as JSON, where the run writes one
	code     int
	peak     int64 // bytes of memory, 0 where the system doesn't show it
	cpu      time.Duration
	files    []string // that are in none of the places where one is expected
}

// peakFile names the variable with the file into which the program writes its peak.
const peakFile = "TRIAGE_TEST_PEAK"

// tellPeak writes the most memory that this process had, in bytes, where it is asked to and the system shows it. What
// the parent of a process knows of it would count the parent's own memory too.
func tellPeak() {
	to := os.Getenv(peakFile)
	status, err := os.ReadFile("/proc/self/status")
	if to == "" || err != nil {
		return
	}
	var kb int64
	if _, text, ok := strings.Cut(string(status), "VmHWM:"); ok {
		_, _ = fmt.Sscan(text, &kb)
	}
	_ = os.WriteFile(to, []byte(strconv.FormatInt(kb<<10, 10)), 0o600)
}

// A hostileLab is an input with folders of its own to run the program in.
type hostileLab struct{ root, in, out, peak string }

func newHostileLab(t testing.TB, in hostile.Input) hostileLab {
	t.Helper()
	root := t.TempDir()
	l := hostileLab{
		root, filepath.Join(root, "in", in.Name), filepath.Join(root, "out", "copy"+filepath.Ext(in.Name)), filepath.Join(root, "peak"),
	}
	for _, dir := range []string{"in", "out", "tmp", "cwd"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Make(l.in); err != nil {
		t.Fatal(err)
	}
	return l
}

// run runs the program and kills it after a time that it must not take.
func (l hostileLab) run(t testing.TB, run hostileRun, limit time.Duration) hostileOutcome {
	t.Helper()
	program, err := exec.LookPath("triage") // testscript puts this test's binary there
	if err != nil {
		t.Fatal(err)
	}
	if program, err = filepath.Abs(program); err != nil {
		t.Fatal(err)
	}
	args := slices.Clone(run.args)
	for i, a := range args {
		args[i] = strings.NewReplacer("IN", l.in, "OUT", l.out).Replace(a)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Join(l.root, "cwd")
	tmp := filepath.Join(l.root, "tmp")
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "TMP="+tmp, peakFile+"="+l.peak)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // the exit status says it
	kill.Stop()
	o := hostileOutcome{
		out: out.Bytes(), err: errs.Bytes(), code: cmd.ProcessState.ExitCode(),
		cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), files: strayFiles(t, l.root, l.in, l.out, l.peak),
	}
	if run.name == "report" {
		if o.report, err = os.ReadFile(l.out); err != nil {
			t.Errorf("no JSON report: %v", err)
		}
	}
	if text, err := os.ReadFile(l.peak); err == nil {
		_, _ = fmt.Sscan(string(text), &o.peak)
	}
	_ = os.Remove(l.out) // large ones must not wait for the end of the test
	return o
}

// strayFiles are the files below root other than expected ones.
func strayFiles(t testing.TB, root string, expected ...string) []string {
	t.Helper()
	var stray []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.Contains(expected, path) {
			stray = append(stray, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat("/tmp/triage-hostile-outside.txt"); err == nil { // what an archive names
		stray = append(stray, "/tmp/triage-hostile-outside.txt")
	}
	return stray
}

// check reports whatever no input may cause.
func (o *hostileOutcome) check(t testing.TB, in hostile.Input, run hostileRun) {
	t.Helper()
	if o.peak > maxPeak && !raceDetector {
		t.Errorf("%s (%s): %d MB at its peak", run.name, in.Why, o.peak/1e6)
	}
	most := int(maxReport)
	if in.Saved {
		most *= 2 // what reading one back holds is written whole
	}
	if len(o.report) > most {
		t.Errorf("%s (%s): %d MB of JSON", run.name, in.Why, len(o.report)/1e6)
	}
	if o.report != nil && !json.Valid(o.report) {
		t.Errorf("%s: no valid JSON in the report: %.200q", run.name, o.report)
	}
	if o.code < exitOK || o.code > exitNothing {
		t.Errorf("%s: exit status %d, stderr %.300q", run.name, o.code, o.err)
	}
	for _, text := range [][]byte{o.out, o.err, o.report} {
		if at := acts(text); at >= 0 {
			t.Errorf("%s: a terminal would act on what it printed: %q", run.name, text[max(0, at-40):min(len(text), at+20)])
		}
		if at := bytes.Index(text, []byte("inside triage")); at >= 0 {
			t.Errorf("%s: a fault: %q", run.name, text[max(0, at-200):min(len(text), at+200)])
		}
	}
	if run.json && len(o.out) > 0 && !json.Valid(o.out) {
		t.Errorf("%s: no valid JSON: %.200q", run.name, o.out)
	}
	if len(o.files) > 0 {
		t.Errorf("%s: files were left: %q", run.name, o.files)
	}
}

// acts is where text has a character that a terminal acts on or a reader doesn't see, -1 for nowhere.
func acts(text []byte) int {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 ||
			strings.ContainsRune("\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\ufeff", r) ||
			r >= 0x2060 && r <= 0x206f || r >= 0xe0000 && r <= 0xe007f {
			return at
		}
		at += n
	}
	return -1
}
