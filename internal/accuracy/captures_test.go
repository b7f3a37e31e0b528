package accuracy

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// manyIDs are programs of the lab's first half whose processes have most goroutine ids in common, and few addresses.
var manyIDs = []string{"mail-groups", "tenant-caches", "edge-throttle", "report-cursors", "order-settlement"}

func TestThreeNamelessDumpsOfOneProcessAreOfOneProcess(t *testing.T) {
	captured := firstHalf(t)
	for _, name := range manyIDs {
		dir := captured(name)
		names := namelessProcesses(t, dir+"/plain/debug2.txt", dir+"/plain/debug2-later.txt", dir+"/plain/signal.txt")
		if len(names) != 3 || names[0] == "" || names[1] != names[0] || names[2] != names[0] {
			t.Errorf("%s: processes %q, want one", name, names)
		}
	}
}

func TestNamelessDumpsOfTwoReplicasAreOfTwoProcesses(t *testing.T) {
	captured := firstHalf(t)
	for _, name := range manyIDs {
		dir := captured(name)
		for _, other := range []string{"/collected/debug2.txt", "/collected/debug2-later.txt", "/collected/signal.txt"} {
			if names := namelessProcesses(t, dir+"/plain/debug2.txt", dir+other); !slices.Equal(names, []string{"", ""}) {
				t.Errorf("%s, %s: processes %q, want none known", name, other, names)
			}
		}
	}
}

// firstHalf unpacks the captures of manyIDs and returns the folder of each with Go 1.26.
func firstHalf(t *testing.T) func(name string) string {
	t.Helper()
	dir := captures.Unpack(t, filepath.Join(testdata, "wild/healthy/first.tar.xz"), manyIDs...)
	return func(name string) string {
		releases, err := filepath.Glob(filepath.Join(dir, name, "go1.26*"))
		if err != nil || len(releases) != 1 {
			t.Fatalf("%s: %q, %v", name, releases, err)
		}
		return releases[0]
	}
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

func TestTheCapturesOfPublishedBugsAndServersTakeLessThan15MB(t *testing.T) {
	checkSize(t, testdata+"/wild", 15_000_000)
}

func TestTheCapturesOfUnclearWaitsTakeLessThan1200KB(t *testing.T) {
	checkSize(t, testdata+"/coded", 1_200_000)
}

func TestTheLogsOfCrashesWithoutADumpTakeLessThan60KB(t *testing.T) {
	checkSize(t, testdata+"/lastwords", 60_000)
}

// checkSize fails where a folder has no files, or files of limit bytes or more together.
func checkSize(t *testing.T, dir string, limit int64) {
	t.Helper()
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil || sum == 0 || sum >= limit {
		t.Errorf("%d bytes of captures in %s, want less than %d: %v", sum, dir, limit, err)
	}
}
