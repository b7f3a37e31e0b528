//go:build unix

package source

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A FIFO without a writer blocks the program that opens it: these tests end because it is not opened.
func TestAFIFOIsNotOpened(t *testing.T) {
	dir := tree(t, map[string]string{"k.go": klog})
	for _, name := range []string{"fifo", "klog.go", "go.mod"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skipf("no FIFOs here: %v", err)
		}
	}
	a := show(t, at("fifo/x.Run", "/go/pkg/mod/fifo/x@v1.0.0/a.go", 9), dir)
	if want := "no such module"; a.Reason != want {
		t.Errorf("a FIFO where a folder of modules may be: reason %q, want %q", a.Reason, want)
	}
	if a := show(t, at("main.(*T).Run", "/w/klog.go", 9), dir); a.Reason != "not a regular file" {
		t.Errorf("a FIFO where the file may be: reason %q", a.Reason)
	}
	if src, err := Open([]string{filepath.Join(dir, "fifo")}); err == nil {
		src.Close()
		t.Error("a FIFO is opened as a folder of sources")
	}
}
