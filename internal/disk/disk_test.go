package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// namesIn are the names of what lies in a folder.
func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAFileIsWholeOrAbsent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.txt")
	write := func(text string, commit, replace bool) error {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Abandon()
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if now, _ := os.ReadFile(path); string(now) == text {
			t.Errorf("%q is there before it is whole", text)
		}
		if !commit {
			return nil
		}
		return f.Commit(replace)
	}
	if err := write("given up", false, false); err != nil || len(namesIn(t, dir)) != 0 {
		t.Errorf("%v, %q", err, namesIn(t, dir))
	}
	if err := write("first", true, false); err != nil {
		t.Error(err)
	}
	if err := write("second", true, false); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("replaced by %q", got)
	}
	if err := write("third", true, true); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "third" || len(namesIn(t, dir)) != 1 {
		t.Errorf("%q, %q", got, namesIn(t, dir))
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

func TestErrorsNameTheFileThatWasAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent", "report.txt")
	if _, err := Create(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+":") {
		t.Errorf("%v", err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 250))
	f, err := Create(long)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abandon()
	if err := f.Commit(false); err != nil {
		t.Error(err)
	}
}

func TestHintsAreAboutWhatFailed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other numbers")
	}
	for no, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "disk is full", syscall.EDQUOT: "quota", syscall.EROFS: "read-only", syscall.EMFILE: "ulimit -n",
		syscall.EIO: "device", syscall.ESTALE: "mount it again", syscall.ENOENT: "",
	} {
		err := fmt.Errorf("writing: %w", &fs.PathError{Op: "write", Path: "x", Err: no})
		if got := Hint(err); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", no, got, want)
		}
	}
	if got := Hint(errors.New("other")); got != "" {
		t.Errorf("%q", got)
	}
}

func TestWhatLiesInAFolderIsFoundWhateverItsNameLeadsThrough(t *testing.T) {
	root := t.TempDir()
	in, other := filepath.Join(root, "in"), filepath.Join(root, "other")
	for _, dir := range []string{filepath.Join(in, "sub"), other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(in, "sub", "a.log"), filepath.Join(other, "b.log")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	within := map[string]bool{
		"in": true, "in/sub/a.log": true, "in/new": true, "in/sub/new/": true, "other/../in/new": true,
		"in/../other/new": false, "other/b.log": false, "new": false, "in2/new": false,
	}
	if err := os.Symlink(filepath.Join(in, "sub"), filepath.Join(other, "link")); err == nil {
		within["other/link/new"], within["other/link/../new"] = true, true
		if err := os.Symlink(filepath.Join(in, "sub", "a.log"), filepath.Join(other, "a.log")); err == nil {
			within["other/a.log"] = true
		}
	}
	info, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range within {
		if got := Within(root+"/"+name, info); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	t.Chdir(in)
	if !Within("new", info) || Within("../new", info) {
		t.Error("relative names")
	}
}
