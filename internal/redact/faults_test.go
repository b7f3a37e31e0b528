package redact

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gotriage/triage/internal/ingest/open"
)

// A failing file gives its bytes up to a place, and an error of its device from there on.
type failing struct {
	*os.File
	at, left int64
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

// A copy of what a disk gives only in part says so, or there is none.
func TestACopyFromAFailingDiskSaysSoOrIsAbsent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other numbers of errors")
	}
	log := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(log, []byte(strings.Repeat("a line with password=hunter2222 in it\n", 40_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		log, "../../testdata/bundles/crashloop-message.zip", "../../testdata/bundles/fight-bodies.tar.gz",
		"../../testdata/bundles/agent-two-bundles.tar", "../../testdata/profiles/ecdsa-key.pb.gz",
		"../../testdata/bundles/spin-mustgather.tar.xz", filepath.Dir(log),
	} {
		for _, share := range []float64{0, 0.3, 0.95} {
			dir := t.TempDir()
			out := filepath.Join(dir, filepath.Base(in))
			sum, err := Copy(t.Context(), in, out, CopyOptions{OpenFile: func(path string) (open.DiskFile, error) {
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
			}})
			_, missing := os.Lstat(out)
			entries, _ := os.ReadDir(dir)
			said := err == nil && strings.Contains(sum.String(), "input/output error")
			switch {
			case err != nil && (missing == nil || len(entries) > 0 || !strings.Contains(err.Error(), "input/output error")):
				t.Errorf("%s from %.2f on: %v; %v is left", in, share, err, entries)
			case err == nil && (missing != nil || len(entries) != 1 || !said):
				t.Errorf("%s from %.2f on: %v is there; the summary: %s", in, share, entries, sum)
			}
		}
	}
}
