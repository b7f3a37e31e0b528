package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// traceback is a signal's dump of a controller that spins.
var traceback = filepath.Join("..", "..", "testdata", "dumps", "go1.26", "spin-gosched.txt")

// TestGoToolPprofReadsAnExportedTraceback exports a signal's dump and asks go tool pprof for its top functions, its
// labels and its flame graph's input.
func TestGoToolPprofReadsAnExportedTraceback(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: the profile is not read by go tool pprof")
	}
	out := filepath.Join(t.TempDir(), "dump.pb.gz")
	var stderr bytes.Buffer
	std := Std{Out: &stderr, Err: &stderr, Getenv: func(string) string { return "" }}
	code := Main(context.Background(), []string{"export", "--to", "pprof", "--out", out, traceback}, std)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	for flag, want := range map[string]string{
		"-top":  "goroutine",
		"-tags": "go::goroutine_state",
		"-raw":  "wait/minutes",
	} {
		cmd := exec.Command(goTool, "tool", "pprof", flag, out)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		text, err := cmd.Output()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("go tool pprof %s: %v\n%.400s", flag, err, text)
		}
	}
}
