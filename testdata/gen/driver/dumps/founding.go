package dumps

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// podLog is where the kubelet would keep the founding program's log, below testdata.
const podLog = "../pods/harbor-system_harbor-controller-5c9d8f7b6-x2x7k_3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90/controller/1.log"

// founding is a controller with a dependency that spins. The dump is taken when a second goroutine is runnable too:
// one that was just woken to read a watch, and is innocent.
func founding() []fixture {
	return []fixture{{
		name: "founding", module: "founding", pkg: ".", kind: "gosched", args: []string{}, env: []string{"GOMAXPROCS=2"},
		vendored: true, minors: []int{26}, how: abort, path: podLog, runnable: 2,
		want:   `\[runnable\]:\n((runtime\.gopark.*|\t.*)\n){0,4}sync\.runtime_notifyListWait`,
		format: "cri", culprit: "example.com/harbor-controller/vendor/example.com/tlslistener.(*listener).expireLoop.func1", category: "spin",
	}}
}

// buildVendored builds a module the old way, in a GOPATH with a vendor folder, so that the names of vendored
// functions carry the whole path. The vendor folder is made for the build and not kept.
func (t *toolchain) buildVendored(f fixture, bin string) error {
	path := filepath.Join(t.temp, "gopath")
	source := filepath.Join(path, "src", "example.com", "harbor-controller")
	if err := os.CopyFS(source, os.DirFS(filepath.Join(t.gen, f.module))); err != nil {
		return fmt.Errorf("copying %s: %w", f.module, err)
	}
	vendor := t.command(f.module, "mod", "vendor")
	vendor.Dir = source
	if out, err := vendor.CombinedOutput(); err != nil {
		return fmt.Errorf("vendoring for %s: %w\n%s", f.module, err, out)
	}
	for _, name := range []string{"go.mod", "go.sum", "tlslistener"} {
		if err := os.RemoveAll(filepath.Join(source, name)); err != nil {
			return err
		}
	}
	build := t.command(f.module, append(append([]string{"build", "-o", bin}, t.trim(f.module)...), ".")...)
	build.Dir = source
	build.Env = append(build.Env, "GO111MODULE=off", "GOPATH="+path)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", f.module, err, out)
	}
	return nil
}

// countRunnable counts the goroutines that are runnable or running.
func countRunnable(text []byte) int {
	n := 0
	for _, line := range bytes.Split(text, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("goroutine ")) && (bytes.Contains(line, []byte("[runnable")) || bytes.Contains(line, []byte("[running"))) {
			n++
		}
	}
	return n
}

// criWriter frames lines as a container runtime does when they come: time, stream, F for full, text.
type criWriter struct {
	raw, framed bytes.Buffer
	rest        []byte
}

func (w *criWriter) Write(p []byte) (int, error) {
	w.raw.Write(p)
	w.rest = append(w.rest, p...)
	for {
		line, rest, ok := bytes.Cut(w.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		fmt.Fprintf(&w.framed, "%s stderr F %s\n", time.Now().UTC().Format(time.RFC3339Nano), line)
		w.rest = rest
	}
}

// file is where a fixture's file lies below the folder of fixtures.
func (f fixture) file(v version, name string) string {
	if f.path != "" && strings.HasSuffix(name, ".txt") {
		return f.path
	}
	return v.folder() + "/" + name
}
