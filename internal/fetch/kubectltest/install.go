package kubectltest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Install makes the running test binary the kubectl that is found first, with this script, and returns the function
// that reads the calls so far. The test binary's TestMain must hand over to Main where Called.
func Install(t testing.TB, s Script) (calls func() [][]string) {
	t.Helper()
	dir := t.TempDir()
	s.Calls = filepath.Join(dir, "calls")
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "script.json")
	if err := os.WriteFile(script, data, 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "kubectl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Symlink(exe, filepath.Join(dir, name)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(Env, script)
	return func() [][]string {
		data, err := os.ReadFile(s.Calls)
		if err != nil {
			t.Fatal(err)
		}
		var all [][]string
		for line := range bytes.Lines(data) {
			var args []string
			if err := json.Unmarshal(line, &args); err != nil {
				t.Fatal(err)
			}
			all = append(all, args)
		}
		return all
	}
}
