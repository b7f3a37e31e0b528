package accuracy

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/source"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

var withModules = flag.Bool("modules", false, "look for frames in the module cache, which has what make wild-modules downloads")

// leastPlaced is the share of frames, outside of the standard library, that are found in one function of the sources
// that were built, in percent.
const leastPlaced = 90

func TestFramesOfPublishedBugsAreFoundInTheModulesThatWereBuilt(t *testing.T) {
	if !*withModules {
		t.Skip("make nightly looks for them: it needs the modules of testdata/gen/wild")
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(out))
	asked, placed := map[string]int{}, map[string]int{}
	for _, b := range populations[0].batches(t) {
		dir := captures.Unpack(t, b.archive)
		files, err := filepath.Glob(filepath.Join(dir, "*", "*", "plain", "debug2.txt"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no dumps: %v", b.archive, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(dir, filepath.Join(file, "../../.."))
			if err != nil {
				t.Fatal(err)
			}
			n, found := framesPlaced(t, file, cache, filepath.Join(testdata, "gen/wild/bugs", name))
			asked[b.half] += n
			placed[b.half] += found
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
	for _, half := range halves {
		n := asked[half]
		t.Logf("%s: %d of %d frames", half, placed[half], n)
		if 100*placed[half] < leastPlaced*n {
			t.Errorf("%s: fewer than %d %%: make wild-modules downloads what was built", half, leastPlaced)
		}
	}
}

// framesPlaced counts the different frames of a dump, and those that lie in one function of what the folders hold.
func framesPlaced(t *testing.T, file string, dirs ...string) (n, placed int) {
	t.Helper()
	tree, err := source.Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	packages := tree.Packages()
	reader := gocode.NewReader(packages.Of, nil)
	frames := programFrames(t, file)
	packages.Doubt(frames, nil)
	seen := map[gocode.Frame]bool{}
	for _, f := range frames {
		if !seen[f] {
			seen[f] = true
			n++
			placed += one(reader.Site(f) != nil)
		}
	}
	return n, placed
}

// programFrames are the frames of a dump outside of the standard library, each with what it calls as far as the dump
// shows that.
func programFrames(t *testing.T, file string) (frames []gocode.Frame) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dumps, err := stackparse.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	leaf := map[stackparse.Class]string{stackparse.ClassChanReceive: "runtime.chanrecv1",
		stackparse.ClassChanSend: "runtime.chansend1", stackparse.ClassSelect: "runtime.selectgo",
		stackparse.ClassNoCases: "runtime.block"}
	for _, d := range dumps {
		for _, b := range d.Buckets {
			callee := leaf[b.Class]
			for _, at := range b.Frames {
				if class := (frame.Program{}).Class(at.Frame); class != frame.ClassRuntime && class != frame.ClassStdlib {
					frames = append(frames, gocode.Frame{Func: at.Func, File: at.File, Line: at.Line, Callee: callee})
				}
				callee = at.Func
			}
		}
	}
	return frames
}
