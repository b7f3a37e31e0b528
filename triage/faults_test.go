package triage_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage"
)

// spinBeside is a dump with a finding, which is read beside what fails.
const spinBeside = "../testdata/dumps/go1.26/spin-gosched.txt"

// A failing file gives its bytes up to a place, and an error of its device from there on.
type failing struct {
	*os.File
	at, left int64
}

func failingAt(path string, share float64) (ingest.DiskFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	at := int64(share * float64(info.Size()))
	return &failing{f, at, at}, nil
}

func (f *failing) broken() error { return &fs.PathError{Op: "read", Path: f.Name(), Err: syscall.EIO} }

func (f *failing) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, f.broken()
	}
	n, err := f.File.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	return n, err
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.at {
		return f.File.ReadAt(p, off)
	}
	n, _ := f.File.ReadAt(p[:max(0, f.at-off)], off)
	return n, f.broken()
}

// openedBy runs triage over the inputs with every file below bad opened by a function.
func openedBy(
	t *testing.T, inputs []string, bad string, file func(path string) (ingest.DiskFile, error),
) *triage.Report {
	t.Helper()
	o := triage.Options{Inputs: inputs}.OpenedBy(func(path string) (ingest.DiskFile, error) {
		if strings.HasPrefix(path, bad) {
			return file(path)
		}
		return os.Open(path)
	})
	r, err := triage.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// skippedOf is what the report says about the paths that begin so.
func skippedOf(r *triage.Report, prefix string) []triage.Skipped {
	var all []triage.Skipped
	for _, s := range r.Skipped {
		if strings.HasPrefix(s.Path, prefix) {
			all = append(all, s)
		}
	}
	return all
}

func hasRule(r *triage.Report, source string) bool {
	for i := range r.Findings {
		for _, e := range r.Findings[i].Evidence {
			if e.Input == source {
				return true
			}
		}
	}
	return false
}

func TestADiskThatFailsCostsWhatLiesBehindAndIsReportedWithAHint(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other numbers of errors")
	}
	for _, bad := range []string{
		"../testdata/dumps/go1.26/crash-deadlock.txt", "../testdata/bundles/crashloop-message.zip",
		"../testdata/bundles/fight-bodies.tar.gz", "../testdata/bundles/spin-mustgather.tar.xz",
		"../testdata/bundles/agent-two-bundles.tar", selfLoopDay, "../testdata/profiles/ecdsa-key.pb.gz",
	} {
		for _, share := range []float64{0, 0.3, 0.9} {
			t.Run(fmt.Sprintf("%s from %.1f on", filepath.Base(bad), share), func(t *testing.T) {
				r := openedBy(t, []string{bad, spinBeside}, bad,
					func(path string) (ingest.DiskFile, error) { return failingAt(path, share) })
				if !hasRule(r, spinBeside) {
					t.Errorf("the findings of the other input are lost: %d findings", len(r.Findings))
				}
				failed := func(s triage.Skipped) bool {
					return strings.Contains(s.Reason, "input/output error") && strings.Contains(s.Hint, "ddrescue")
				}
				if all := skippedOf(r, bad); !slices.ContainsFunc(all, failed) {
					t.Errorf("the report does not say that the device fails, or what to do: %+v", all)
				}
			})
		}
	}
}

func TestWhatWasReadBeforeADiskFailedIsJudged(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "app.log")
	text := readFile(t, spinBeside)
	if err := os.WriteFile(log, []byte(text+strings.Repeat("a line of the log behind the dump\n", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := openedBy(t, []string{log}, log, func(path string) (ingest.DiskFile, error) { return failingAt(path, 0.9) })
	if !hasRule(r, log) || len(skippedOf(r, log)) != 1 {
		t.Errorf("%d findings, skipped %+v", len(r.Findings), r.Skipped)
	}
}

func TestFilesThatCanNotBeOpenedAnyMoreAreReported(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(readFile(t, spinBeside)), 0o600); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(dir, "gone")
	for _, name := range []string{"gone.log", "gone.zip", "gone.log.1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, no := range map[string]error{
		"no such file or folder": fs.ErrNotExist, "permission denied": fs.ErrPermission,
		syscall.EMFILE.Error(): syscall.EMFILE, syscall.ESTALE.Error(): syscall.ESTALE,
	} {
		r := openedBy(t, []string{dir}, gone, func(path string) (ingest.DiskFile, error) {
			return nil, &fs.PathError{Op: "open", Path: path, Err: no}
		})
		all := skippedOf(r, gone)
		if len(all) != 3 || len(r.Findings) == 0 {
			t.Errorf("%v: %d findings, %+v", no, len(r.Findings), r.Skipped)
		}
		for _, s := range all {
			if s.Reason != want || !errors.Is(no, fs.ErrNotExist) && s.Hint == "" && runtime.GOOS != "windows" {
				t.Errorf("%v: %+v", no, s)
			}
		}
	}
}

func TestAListingSaysWhatCouldNotBeRead(t *testing.T) {
	const bad = "../testdata/bundles/crashloop-message.zip"
	o := triage.Options{Inputs: []string{bad, spinBeside}}.OpenedBy(func(path string) (ingest.DiskFile, error) {
		if path == bad {
			return failingAt(path, 0.5)
		}
		return os.Open(path)
	})
	l, err := triage.List(t.Context(), o)
	if err != nil || len(l.Skipped) == 0 || len(l.Files) < 2 {
		t.Errorf("%v, %d files, %+v", err, len(l.Files), l.Skipped)
	}
}

// memoryLimit is the least GOMEMLIMIT that findings are compared under.
const memoryLimit = 64 << 20

func TestALowMemoryLimitChangesNoFinding(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	for _, input := range []string{
		bundle(t, "agent-full.tar.gz"), selfLoopDay, "../testdata/profiles/all.tar.xz",
	} {
		want := analysed(t, []string{input})
		before := debug.SetMemoryLimit(memoryLimit)
		got := analysed(t, []string{input})
		debug.SetMemoryLimit(before)
		if string(got) != string(want) {
			t.Errorf("%s: %s", input, firstDifference(got, want))
		}
	}
}

func BenchmarkRunUnderAMemoryLimit(b *testing.B) {
	for name, limit := range map[string]int64{"none": -1, "64MiB": memoryLimit} {
		b.Run(name, func(b *testing.B) {
			before := debug.SetMemoryLimit(limit)
			defer debug.SetMemoryLimit(before)
			for b.Loop() {
				if _, err := triage.Run(b.Context(), triage.Options{Inputs: []string{selfLoopDay}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
