package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/fixture"
)

// wildForms are the captures of a program that are read, each by itself: the same goroutines in other forms, and what they
// burn and hold. The first two together are two dumps of one process.
var wildForms = [][]string{{"debug2.txt"}, {"debug2.txt", "debug2-later.txt"}, {"debug1.txt"}, {"signal.txt"},
	{"cpu.pb"}, {"heap.pb"}}

// wildStepFixtures are captures of published bugs and of healthy programs, of the half that rules are developed with:
// the others are not opened.
func wildStepFixtures(t *testing.T) (all [][]string) {
	t.Helper()
	for _, pattern := range []string{"bugs/*/bad/plain", "healthy/*/go1.26*/plain"} {
		kind, folder, _ := strings.Cut(pattern, "/")
		dir := captures.Unpack(t, filepath.Join("../../testdata/wild", kind, "first.tar.xz"))
		processes, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil || len(processes) == 0 {
			t.Fatalf("%s: nothing there (%v)", pattern, err)
		}
		for _, process := range processes {
			for _, form := range wildForms {
				files := make([]string, len(form))
				for i, file := range form {
					files[i] = filepath.Join(process, file)
				}
				if _, err := os.Stat(files[len(files)-1]); err == nil {
					all = append(all, files)
				}
			}
		}
	}
	return all
}

// extractLogs writes the logs of a rule's fixture as the kubelet has them: NAMESPACE_POD_UID/CONTAINER/0.log.
func extractLogs(t *testing.T, archive string) string {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	names, logs, err := fixture.Logs(ar.Files)
	if err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if p := strings.Split(strings.TrimSuffix(name, ".log"), "/"); len(p) == 3 {
			file = filepath.Join(dir, p[0]+"_"+p[1]+"_0b6f2f3c-51d7-4a8e-9a53-6c1c8a7be901", p[2], "0.log")
		}
		var b strings.Builder
		for _, l := range logs[name] {
			b.WriteString(l.At.Format("2006-01-02T15:04:05.000000000Z07:00") + " stdout F " + l.Text + "\n")
		}
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, []byte(b.String()), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
