package accuracy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gotriage/triage/triage"
)

// manyIDs are programs of the lab's first half whose processes have most goroutine ids in common, and few addresses.
var manyIDs = []string{"mail-groups", "tenant-caches", "edge-throttle", "report-cursors", "order-settlement"}

func TestThreeNamelessDumpsOfOneProcessAreOfOneProcess(t *testing.T) {
	for _, name := range manyIDs {
		dir := firstHalf(t, name)
		names := namelessProcesses(t, dir+"/plain/debug2.txt", dir+"/plain/debug2-later.txt", dir+"/plain/signal.txt")
		if len(names) != 3 || names[0] == "" || names[1] != names[0] || names[2] != names[0] {
			t.Errorf("%s: processes %q, want one", name, names)
		}
	}
}

func TestNamelessDumpsOfTwoReplicasAreOfTwoProcesses(t *testing.T) {
	for _, name := range manyIDs {
		dir := firstHalf(t, name)
		for _, other := range []string{"/collected/debug2.txt", "/collected/debug2-later.txt", "/collected/signal.txt"} {
			if names := namelessProcesses(t, dir+"/plain/debug2.txt", dir+other); !slices.Equal(names, []string{"", ""}) {
				t.Errorf("%s, %s: processes %q, want none known", name, other, names)
			}
		}
	}
}

// firstHalf unpacks the captures of a healthy program with Go 1.26.
func firstHalf(t *testing.T, name string) string {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(wildDir, "healthy", name, "go1.26*.tar.xz"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("%s: %q, %v", name, archives, err)
	}
	return unpacked(t, archives[0])
}

// namelessProcesses are the processes of dumps whose names show nothing.
func namelessProcesses(t *testing.T, files ...string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("dump%d.txt", i+1)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Dumps {
		names = append(names, d.Process)
	}
	return names
}
