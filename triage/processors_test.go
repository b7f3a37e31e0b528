package triage

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

// oneOf is how many of the captures one is taken of, by a hash of its name, where TRIAGE_ALL is not set.
const oneOf = 24

// maxSampled is the size in bytes of the largest file that is taken then.
const maxSampled = 1 << 20

func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// realInputs are real inputs of all kinds: the labs, and the collection where it is there.
func realInputs(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, list := range []string{"bugs", "healthy"} { // the other halves are not for development
		paths = append(paths, globbed(t, captures.Unpack(t, "../testdata/wild/"+list+"/first.tar.xz")+"/*")...)
	}
	paths = append(paths, globbed(t, "../testdata/cluster/*-a.tar.zst")...)
	paths = append(paths, captures.Files(t, "../testdata/profiles")...)
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		for _, pattern := range []string{"bundles/*", "bundles/*/*", "profiles/*/*", "dumps/*", "goker-dev/*"} {
			paths = append(paths, globbed(t, filepath.Join(dir, filepath.FromSlash(pattern)))...)
		}
	}
	return paths
}

// isSampled reports whether a path is read where not all are.
func isSampled(t *testing.T, path string) bool {
	t.Helper()
	h := fnv.New32a()
	h.Write([]byte(filepath.Base(path)))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return h.Sum32()%oneOf == 0 && info.Size() <= maxSampled
}

// TestCapturesGiveTheSameReportOnAnyNumberOfProcessors reads a sample of them; with TRIAGE_ALL=1 all, in minutes.
func TestCapturesGiveTheSameReportOnAnyNumberOfProcessors(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	all := os.Getenv("TRIAGE_ALL") != ""
	read := 0
	for i, path := range realInputs(t) {
		if !all && !isSampled(t, path) {
			continue
		}
		read++
		t.Run(strings.ReplaceAll(path, "/", "_"), func(t *testing.T) {
			size := []int{9_000, 50_000, 200_000}[i%3]
			want := reports(t, []string{path}, size, 1)
			for _, procs := range []int{2, 8} {
				if got := reports(t, []string{path}, size, procs); got != want {
					t.Errorf("%d processors, pieces of %d bytes: another report than one processor's", procs, size)
				}
			}
		})
	}
	if t.Logf("%d captures", read); read == 0 {
		t.Error("no capture was read")
	}
}
