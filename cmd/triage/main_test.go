package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

func noEnv(string) string { return "" }

// run runs the program inside the test and returns its status and what it wrote.
func run(ctx context.Context, in io.Reader, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = Main(ctx, args, Std{In: in, Out: &stdout, Err: &stderr, Getenv: noEnv})
	return code, stdout.String(), stderr.String()
}

func TestExitStatusIsTheLeastThatApplies(t *testing.T) {
	const high = string(rules.High)
	found := &triage.Report{Findings: []rules.Finding{{Severity: rules.High, Confidence: rules.ConfMedium}}, Dumps: []schema.Dump{{}}}
	doubtful := &triage.Report{Findings: []rules.Finding{{Severity: rules.High, Confidence: rules.ConfLow}}, Dumps: []schema.Dump{{}}}
	quiet := &triage.Report{Findings: []rules.Finding{{Severity: rules.Low}}, Dumps: []schema.Dump{{}}}
	unread := &triage.Report{Dumps: []schema.Dump{{}}, Skipped: []schema.Skipped{{Path: "x", Named: true}}}
	both := &triage.Report{Findings: found.Findings, Dumps: found.Dumps, Skipped: unread.Skipped}
	entry := &triage.Report{Dumps: []schema.Dump{{}}, Skipped: []schema.Skipped{{Path: "folder/x"}}}
	for name, c := range map[string]struct {
		r           *triage.Report
		failOn      string
		interrupted bool
		want        int
	}{
		"no alarm at it":         {doubtful, high, false, exitOK},
		"a finding, never":       {found, never, false, exitOK},
		"a finding at it":        {found, high, false, exitFindings},
		"a finding below it":     {quiet, high, false, exitOK},
		"unreadable":             {unread, never, false, exitUnreadable},
		"unreadable, a finding":  {both, high, false, exitFindings},
		"unreadable in a folder": {entry, never, false, exitOK},
		"interrupted":            {quiet, never, true, exitUnreadable},
		"nothing recognised":     {&triage.Report{}, high, false, exitNothing},
	} {
		if got := exitCode(c.r, c.failOn, c.interrupted); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// brokenPipe is stdout after its reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestAClosedPipeEndsQuietly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "also.json")
	for name, args := range map[string][]string{
		"text": {"-o", "text"}, "json": {"-o", "json"}, "rules": {"rules"}, "version": {"version"}, "help": {"--help"},
		"with a file": {"-o", "text", "-o", "json=" + file},
	} {
		var errs bytes.Buffer
		code := Main(t.Context(), args, Std{In: strings.NewReader("panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3 +0x1d\n"), Out: brokenPipe{}, Err: &errs, Getenv: noEnv})
		if code != exitOK || errs.Len() > 0 {
			t.Errorf("%s: exit %d, stderr %q", name, code, errs.String())
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the other report was not written: %v", err)
	}
}

func TestAFullDiskIsNotQuiet(t *testing.T) {
	full := writerFunc(func([]byte) (int, error) { return 0, syscall.ENOSPC })
	var errs bytes.Buffer
	code := Main(t.Context(), []string{"-o", "json"}, Std{In: strings.NewReader(""), Out: full, Err: &errs, Getenv: noEnv})
	if code != exitUsage || !strings.Contains(errs.String(), syscall.ENOSPC.Error()) ||
		strings.Contains(errs.String(), "--help") {
		t.Errorf("exit %d, stderr %q", code, errs.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestCtrlCReportsWhatCame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dump := "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3 +0x1d\nexit status 2\n"
	// A stream that never ends. It is cancelled once more was read than is held before it is parsed, so that the dump
	// was.
	reads := 0
	in := readerFunc(func(p []byte) (int, error) {
		if reads++; reads == 1 {
			return copy(p, dump), nil
		}
		if reads > 100 {
			cancel()
		}
		return copy(p, bytes.Repeat([]byte("a line of a log\n"), len(p)/16+1)), nil
	})
	code, out, errs := run(ctx, in)
	if code != exitUnreadable || !strings.Contains(errs, "interrupted") || !strings.Contains(out, "main.go:3") {
		t.Errorf("exit %d, stderr %q, stdout %q", code, errs, out)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestNoInputAndNoPipeIsShortHelp(t *testing.T) {
	code, out, errs := run(t.Context(), nil)
	if code != exitUsage || out != "" || !strings.Contains(errs, "kubectl logs --previous POD | triage") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
}

func TestColourFollowsFlagThenEnvironmentThenTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		flag string
		env  map[string]string
		want bool
	}{
		"auto, no terminal":         {colorAuto, nil, false},
		"always":                    {colorAlways, map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		"never":                     {colorNever, map[string]string{"CLICOLOR_FORCE": "1"}, false},
		"forced":                    {colorAuto, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		"forced with zero":          {colorAuto, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		"NO_COLOR beats forcing":    {colorAuto, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		"an empty NO_COLOR is none": {colorAuto, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": ""}, true},
		"TERM=dumb beats forcing":   {colorAuto, map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, false},
	} {
		if got := isColored(c.flag, &bytes.Buffer{}, func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestOnlyALocaleThatSaysSoIsPlain(t *testing.T) {
	for want, envs := range map[bool][]map[string]string{
		true:  {{"LANG": "C"}, {"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, {"LANG": "de_DE.ISO-8859-1"}},
		false: {{}, {"LANG": "en_US.UTF-8"}, {"LC_ALL": "C.utf8"}, {"LC_CTYPE": "C.UTF-8", "LANG": "C"}},
	} {
		for _, env := range envs {
			if plainLocale(func(k string) string { return env[k] }) != want {
				t.Errorf("%v: %v", env, !want)
			}
		}
	}
}

func TestProgressLineIsClearedAtTheEnd(t *testing.T) {
	p := &triage.Progress{}
	p.Lines.Store(1_234_567)
	p.Dumps.Store(3)
	p.Sources.Store(5)
	p.Done.Store(2)
	p.Total.Store(80_000_000)
	p.Bytes.Store(20_000_000)
	done := make(chan struct{})
	close(done)
	var b bytes.Buffer
	(&liveLine{w: &b, text: func() string { return progressLine(p) }}).watch(make(chan time.Time), done)
	if want := clearLine + "triage: 20 MB of 80 MB (25%), 1,234,567 lines, 2 of 5 files read, 3 dumps" + clearLine; b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
	merging := &triage.Progress{} // the number of files is unknown until all are read
	merging.Done.Store(2064)
	if got := progressLine(merging); got != "triage: 2,064 files read" {
		t.Errorf("wrote %q", got)
	}
}

func TestErrorsThatPointIntoAFileKeepTheirLines(t *testing.T) {
	var b bytes.Buffer
	printError(&b, "x.yaml:3:5: unknown field\n  3 | sevrity\n    | ^", "fix it\x1b[31m")
	want := "triage: x.yaml:3:5: unknown field\n  3 | sevrity\n    | ^\ntriage: hint: fix it"
	if got := b.String(); !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("wrote %q", got)
	}
}

func TestBrokenPipesOfBothKindsAreClosed(t *testing.T) {
	if !closedPipe(io.ErrClosedPipe) || !closedPipe(errors.Join(syscall.EPIPE)) || closedPipe(syscall.ENOSPC) || closedPipe(nil) {
		t.Error("closedPipe tells them wrong")
	}
}

func TestTheFoundingReportFitsOneScreenWithTheAnswerAtItsTop(t *testing.T) {
	code, out, errs := run(t.Context(), nil, filepath.Join("..", "..", "testdata", "pods"))
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d, stderr %q", code, errs)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) > 45 {
		t.Errorf("%d lines, want at most 45", len(lines))
	}
	top := strings.Join(lines[:15], "\n")
	for _, want := range []string{"tlslistener.(*listener).expireLoop.func1", "listener.go:", "\n  why ", "\n  fix ", "\n  next "} {
		if !strings.Contains(top, want) {
			t.Errorf("no %q in the first 15 lines:\n%s", want, top)
		}
	}
	if !strings.Contains(out, "kubectl -n harbor-system ") {
		t.Errorf("the next commands don't name the namespace:\n%s", out)
	}
}
