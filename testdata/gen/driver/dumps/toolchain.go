package dumps

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"example.com/capture"
)

// A toolchain builds programs with one Go release, and builds each only once.
type toolchain struct {
	ctx     context.Context
	version version
	gen     string // testdata/gen
	temp    string

	mu    sync.Mutex
	built map[string]string
}

// command is a go command of this toolchain, in a module of testdata/gen.
func (t *toolchain) command(module string, args ...string) *exec.Cmd {
	cmd := capture.Go(t.ctx, t.version.text, filepath.Join(t.gen, module), args...)
	if t.version.minor < 13 {
		// The releases before -trimpath print the standard library where the official images have it.
		cmd.Env = append(cmd.Env, "GOROOT_FINAL=/usr/local/go")
	}
	return cmd
}

// build is the path of a program's binary. The same source gives the same binary.
func (t *toolchain) build(f fixture) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := strings.Join(append([]string{f.module, f.pkg}, f.flags...), " ")
	if f.how == hangs {
		key += " as a test"
	}
	if bin, ok := t.built[key]; ok {
		return bin, nil
	}
	bin := filepath.Join(t.temp, t.version.folder(), fmt.Sprintf("%s-%d", filepath.Base(f.program()), len(t.built)))
	if f.vendored {
		if err := t.buildVendored(f, bin); err != nil {
			return "", err
		}
		t.built[key] = bin
		return bin, nil
	}
	args := append([]string{"build", "-o", bin}, t.trim(f.module)...)
	if f.how == hangs {
		args = append([]string{"test", "-c"}, args[1:]...)
	}
	args = append(append(args, f.flags...), f.pkg)
	cmd := t.command(f.module, args...)
	cmd.Env = append(cmd.Env, cgoFor(f.flags)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s with Go %s: %w\n%s", f.pkg, t.version.text, err, out)
	}
	t.built[key] = bin
	return bin, nil
}

// trim are the flags that keep this machine's paths out of a binary.
func (t *toolchain) trim(module string) []string {
	if t.version.minor >= 13 {
		return []string{"-trimpath", "-ldflags=-buildid="}
	}
	dir := filepath.Join(t.gen, module)
	return []string{"-gcflags=all=-trimpath=" + dir, "-asmflags=all=-trimpath=" + dir, "-ldflags=-buildid="}
}

// cgoFor switches cgo on for what needs it: the race detector, and programs with C in them.
func cgoFor(flags []string) []string {
	for _, flag := range flags {
		if flag == "-race" || flag == "-tags=c" {
			return []string{"CGO_ENABLED=1"}
		}
	}
	return nil
}
