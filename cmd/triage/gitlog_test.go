package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// TestGitLogRunsInTheProgramsCheckout runs the steps that ask git who last changed a line in a checkout of the program
// that crashed: in modules whose commands and packages lie in folders, and in one that is the package.
func TestGitLogRunsInTheProgramsCheckout(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOOS == "windows" {
			t.Skip(err)
		}
	}
	all := captures.Dumps(t, "../../testdata/dumps", "go1.26")
	for module, pattern := range map[string]string{"simple": "crash-*.txt", "stucktest": "stucktest-*.txt", "gotest": "gotest-*.txt"} {
		dir := checkout(t, "../../testdata/gen/"+module)
		dumps, err := filepath.Glob(filepath.Join(all, "go1.26", pattern))
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, dump := range dumps {
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{dump}})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Findings {
				for _, s := range f.Next {
					if !strings.HasPrefix(s.Command, "git log ") {
						continue
					}
					ran++
					out, err := git(t, dir, s.Command)
					if err != nil || !strings.Contains(out, "first") || !strings.Contains(out, "/"+filepath.Base(f.Culprit.File)) {
						t.Errorf("%s: %v\n%s\n%s", dump, err, s.Command, out)
					}
				}
			}
		}
		if ran == 0 {
			t.Errorf("%s: no step asks git", module)
		}
	}
}

// checkout copies a module into a repository of its own.
func checkout(t *testing.T, module string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	if out, err := git(t, dir, "git init -q . && git add -A && git commit -qm first"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// git runs a command line in a checkout, without the user's settings.
func git(t *testing.T, dir, command string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
