package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// writers are the commands that write files. IN is a folder with a log, a dump with a finding and an audit log; OUT is
// what they write, in a folder of its own; PPROF is the address of a process.
var writers = map[string][]string{
	"report":                {"-o", "json", "--out", "OUT", "IN"},
	"page":                  {"-o", "html=OUT", "IN"},
	"markdown":              {"-o", "markdown=OUT", "IN"},
	"stacks":                {"export", "--to", "json-lines", "--out", "OUT", "IN/dump.txt"},
	"profile":               {"export", "--to", "pprof", "--out", "OUT", "IN/dump.txt"},
	"audit":                 {"audit", "-o", "csv", "--out", "OUT", "IN/audit.log"},
	"copy of a file":        {"redact", "IN/app.log", "OUT"},
	"copy of a folder":      {"redact", "IN", "OUT"},
	"folder to archive":     {"redact", "IN", "OUT.tar.gz"},
	"copy of an archive":    {"redact", "ARCHIVE", "OUT.zip"},
	"map of a copy":         {"redact", "--map", "OUT", "IN/app.log", "-"},
	"capture to a folder":   {"fetch", "PPROF", "--only", "stacks,cmdline", "--dumps", "1", "--no-report", "--out", "OUT"},
	"capture to an archive": {"fetch", "PPROF", "--only", "stacks,cmdline", "--dumps", "1", "--no-report", "--out", "OUT.zip"},
}

// A faultLab is a built program with inputs to run it on.
type faultLab struct {
	program, in, archive, pprof string
}

func newFaultLab(t *testing.T) *faultLab {
	t.Helper()
	root := t.TempDir()
	l := &faultLab{program: filepath.Join(root, "triage"), in: filepath.Join(root, "in"), archive: filepath.Join(root, "in.zip")}
	if out, err := exec.Command("go", "build", "-o", l.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dump, err := os.ReadFile("../../testdata/dumps/go1.26/spin-gosched.txt")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"dump.txt": string(dump), "app.log": strings.Repeat("2026-03-04T04:47:00Z request from 10.42.0.7 with password=hunter2222 took 17 ms\n", 40_000),
		"audit.log": strings.Repeat(auditLine, 4_000),
	}
	for name, text := range files {
		write(t, filepath.Join(l.in, name), text)
	}
	if out, err := exec.Command(l.program, "redact", "-q", l.in, l.archive).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cmdline") {
			_, _ = w.Write([]byte("app\x00--verbose"))
			return
		}
		_, _ = w.Write([]byte("goroutine 1 [running]:\nmain.main()\n\t/src/main.go:21 +0x9a\n\n" +
			strings.Repeat("goroutine 7 [select]:\nmain.work()\n\t/src/main.go:9 +0x9a\n\n", 20_000)))
	}))
	t.Cleanup(server.Close)
	l.pprof = server.URL + "/debug/pprof"
	return l
}

const auditLine = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","stage":"ResponseComplete","auditID":"a","requestURI":"/",` +
	`"verb":"update","user":{"username":"bob"},"objectRef":{"resource":"pods","namespace":"shop","name":"web","apiVersion":"v1"},` +
	`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-04T04:47:00Z","stageTimestamp":"2026-03-04T04:47:00Z"}` + "\n"

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// command is a writer with its output in a folder.
func (l *faultLab) command(args []string, dir string) (cmd *exec.Cmd, out string) {
	named := make([]string, len(args))
	for i, a := range args {
		named[i] = strings.NewReplacer("IN", l.in, "ARCHIVE", l.archive, "PPROF", l.pprof, "OUT", filepath.Join(dir, "out")).Replace(a)
		if strings.Contains(a, "OUT") {
			out = named[i][strings.Index(named[i], "=")+1:]
		}
	}
	cmd = exec.Command(l.program, named...)
	cmd.Dir = dir
	return cmd, out
}

// run runs a command that must end within two minutes.
func (l *faultLab) run(t *testing.T, cmd *exec.Cmd) (code int, messages string) {
	t.Helper()
	var errs bytes.Buffer
	if cmd.Stderr == nil {
		cmd.Stderr = &errs
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Signal(syscall.SIGABRT) })
	_ = cmd.Wait() // the status says it
	if !hung.Stop() {
		t.Errorf("it hangs: %.3000s", errs.String())
	}
	return cmd.ProcessState.ExitCode(), errs.String()
}

// left are the files and folders below a folder.
func left(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A fault is what goes wrong while a writer works. Clean ends leave nothing, or all of it under its name.
var writerFaults = map[string]func(t *testing.T, l *faultLab, args []string){
	"full disk":            onFullDisk,
	"kill -9":              killed(os.Kill),
	"interrupt":            killed(os.Interrupt),
	"16 open files":        under("ulimit -n 16"),
	"64 MiB of memory":     under("export GOMEMLIMIT=64MiB"),
	"one processor":        under("export GOMAXPROCS=1"),
	"a limit on its files": cutOff,
}

func TestFaultsLeaveWholeFilesOrNone(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	l := newFaultLab(t)
	for fault, meets := range writerFaults {
		for writer, args := range writers {
			t.Run(fault+"/"+writer, func(t *testing.T) { meets(t, l, args) })
		}
	}
}

// onFullDisk writes to a file system of 32 KiB, of which a file leaves no more than 4.
func onFullDisk(t *testing.T, l *faultLab, args []string) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		t.Skipf("no file system can be mounted here, so that no disk is full: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	full := filepath.Join(dir, "full")
	write(t, full, strings.Repeat("x", 28<<10))
	cmd, _ := l.command(args, dir)
	code, messages := l.run(t, cmd)
	if files := left(t, dir); code == 0 && len(files) < 2 || code != 0 && len(files) > 1 {
		t.Errorf("status %d, and there is %v", code, files)
	}
	if code != 0 && (code != exitUsage || !strings.Contains(messages, "hint: the disk is full")) {
		t.Errorf("status %d: %s", code, messages)
	}
}

// cutOff ends each file at 1 KiB, as a disk that fills up does.
func cutOff(t *testing.T, l *faultLab, args []string) {
	dir := t.TempDir()
	cmd, _ := l.command(args, dir)
	code, messages := l.run(t, shell("ulimit -f 1", cmd))
	if files := left(t, dir); code == 0 && len(files) == 0 || code != 0 && len(files) > 0 {
		t.Errorf("status %d, and there is %v", code, files)
	}
	if code != 0 && !strings.Contains(messages, "ulimit -f") {
		t.Errorf("no hint: %s", messages)
	}
}

// shell runs a command behind a line of a shell.
func shell(line string, cmd *exec.Cmd) *exec.Cmd {
	sh := exec.Command("sh", append([]string{"-c", line + ` && exec "$0" "$@"`}, cmd.Args...)...)
	sh.Dir = cmd.Dir
	return sh
}

// under runs a writer with less than it is used to, and wants what it writes without.
func under(line string) func(t *testing.T, l *faultLab, args []string) {
	return func(t *testing.T, l *faultLab, args []string) {
		var texts [2]string
		for i, before := range []string{"true", line} {
			dir := t.TempDir()
			cmd, out := l.command(args, dir)
			if code, messages := l.run(t, shell(before, cmd)); code != 0 && code != exitNothing {
				t.Fatalf("%s: status %d: %s", before, code, messages)
			}
			if text, err := os.ReadFile(out); err == nil {
				texts[i] = strings.ReplaceAll(string(text), dir, "")
			} else if len(left(t, dir)) < 2 {
				t.Errorf("%s: %v", before, err)
			}
		}
		// Captures hold the time of day, archives too.
		if texts[0] != texts[1] && args[0] != "fetch" {
			t.Errorf("%d bytes became %d", len(texts[0]), len(texts[1]))
		}
	}
}

// killed ends a writer as soon as something of its output is there: a temporary name may be left by kill -9 alone.
func killed(by os.Signal) func(t *testing.T, l *faultLab, args []string) {
	return func(t *testing.T, l *faultLab, args []string) {
		whole := t.TempDir()
		cmd, want := l.command(args, whole)
		l.run(t, cmd)
		dir := t.TempDir()
		cmd, out := l.command(args, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for over := false; !over; {
			select {
			case <-ended:
				over = true
			case <-time.After(time.Millisecond):
				if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
					_ = cmd.Process.Signal(by)
					<-ended
					over = true
				}
			}
		}
		got, err := os.ReadFile(out)
		expected, wholeErr := os.ReadFile(want)
		if err == nil && wholeErr == nil && len(got) != len(expected) && args[0] != "fetch" && by == os.Kill {
			t.Errorf("%d bytes of %d are under the final name", len(got), len(expected))
		}
		for _, path := range left(t, dir) {
			if by == os.Interrupt && strings.HasSuffix(path, ".tmp") {
				t.Errorf("%s is left", path)
			}
		}
	}
}

// readers read a folder in which one file changes or a stream does not end, beside a dump with a finding.
var readers = map[string][]string{
	"report": {"-o", "text", "IN"},
	"export": {"export", "--to", "folded", "IN"},
	"copy":   {"redact", "IN", "OUT"},
	"check":  {"redact", "--check", "IN"},
}

func TestFilesThatChangeWhileTheyAreReadCostNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	l := newFaultLab(t)
	text := strings.Repeat("2026-03-04T04:47:00Z request took 17 ms\n", 200_000)
	for change, step := range map[string]func(f *os.File) error{
		"grows":      func(f *os.File) error { _, err := f.WriteString(text[:4096]); return err },
		"shrinks":    func(f *os.File) error { info, err := f.Stat(); return errors.Join(err, f.Truncate(info.Size()*9/10)) },
		"is emptied": func(f *os.File) error { return f.Truncate(0) },
	} {
		for reader, args := range readers {
			t.Run(change+"/"+reader, func(t *testing.T) {
				changing := filepath.Join(l.in, "changing.log")
				write(t, changing, text)
				f, err := os.OpenFile(changing, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				cmd, out := l.command(args, dir)
				var stdout bytes.Buffer
				cmd.Stdout = &stdout
				stop, stopped := make(chan bool), make(chan error, 1)
				go func() {
					for range 2_000 {
						select {
						case <-stop:
						case <-time.After(time.Millisecond):
							if err := step(f); err == nil {
								continue
							}
						}
						break
					}
					stopped <- f.Close()
				}()
				code, messages := l.run(t, cmd)
				close(stop)
				if err := <-stopped; err != nil {
					t.Error(err)
				}
				if code < 0 || code > exitNothing {
					t.Errorf("status %d: %s", code, messages)
				}
				kept := stdout.String()
				if reader == "copy" && code == 0 {
					copied, err := os.ReadFile(filepath.Join(out, "dump.txt"))
					if err != nil {
						t.Error(err)
					}
					kept = string(copied)
				}
				if reader != "check" && code == 0 && !strings.Contains(kept, "Gosched") {
					t.Errorf("the dump beside it is lost: %.300s", kept)
				}
				for _, path := range left(t, dir) {
					if strings.HasSuffix(path, ".tmp") {
						t.Errorf("%s is left", path)
					}
				}
			})
		}
	}
}

func TestAnInterruptReportsWhatWasReadAndAClosedPipeEndsQuietly(t *testing.T) {
	l := newFaultLab(t)
	dump, err := os.ReadFile(filepath.Join(l.in, "dump.txt"))
	if err != nil {
		t.Fatal(err)
	}
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, l.program, "-")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = in, &out
	// What the pipe does not hold any more was read.
	filler := append(dump, bytes.Repeat([]byte("a line of the log\n"), 1<<16)...)
	go func() {
		_, _ = feed.Write(filler)
		interrupt()
	}()
	if code, messages := l.run(t, cmd); code != exitUnreadable || !strings.Contains(out.String(), "Gosched") {
		t.Errorf("status %d: %.500s%s", code, out.String(), messages)
	}
	_ = errors.Join(feed.Close(), in.Close())

	for _, args := range [][]string{{"--all", l.in}, {"-o", "json", l.in}, {"export", "--to", "json-lines", l.in}, {"redact", filepath.Join(l.in, "app.log"), "-"},
		{"audit", "-o", "csv", filepath.Join(l.in, "audit.log")}, {"rules"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(l.program, args...)
		cmd.Stdout = w
		_ = r.Close()
		if code, messages := l.run(t, cmd); code != 0 || strings.Contains(messages, "pipe") {
			t.Errorf("%q: status %d: %s", args, code, messages)
		}
		_ = w.Close()
	}
}
