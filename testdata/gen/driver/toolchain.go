package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A toolchain builds programs with one Go release, and builds each only once.
type toolchain struct {
	version version
	root    string // its GOROOT
	gen     string // testdata/gen
	temp    string

	mu    sync.Mutex
	built map[string]string
}

// newToolchain downloads a Go release as the module golang.org/toolchain. The module system drops the
// executable bits, which are set again here: `go` does the same when it switches toolchains.
func newToolchain(v version, gen, temp string) (*toolchain, error) {
	cmd := exec.Command("go", "mod", "download", "-modcacherw", "-json", "golang.org/toolchain@v0.0.1-go"+v.text+".linux-amd64")
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading Go %s: %w: %s", v.text, err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, fmt.Errorf("reading where Go %s is: %w", v.text, err)
	}
	for _, dir := range []string{"bin", "pkg/tool"} {
		err := filepath.WalkDir(filepath.Join(module.Dir, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			return os.Chmod(path, 0o755)
		})
		if err != nil {
			return nil, fmt.Errorf("making Go %s executable: %w", v.text, err)
		}
	}
	return &toolchain{version: v, root: module.Dir, gen: gen, temp: temp, built: map[string]string{}}, nil
}

// command is a go command of this toolchain, in a module of testdata/gen.
func (t *toolchain) command(module string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(t.root, "bin", "go"), args...)
	cmd.Dir = filepath.Join(t.gen, module)
	cmd.Env = append(keepEnv("HOME", "GOCACHE", "GOPROXY", "GOSUMDB", "GOMODCACHE"),
		"PATH="+filepath.Join(t.root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOROOT="+t.root, "GOTOOLCHAIN=local", "GO111MODULE=on", "GOWORK=off",
		"GOENV=off", "GOPATH="+gopath(), "CGO_ENABLED=0")
	if t.version.minor < 13 {
		// The releases before -trimpath print the standard library where the official images have it.
		cmd.Env = append(cmd.Env, "GOROOT_FINAL=/usr/local/go")
	}
	return cmd
}

// gopath is the default GOPATH: the module cache is shared with the driver's own go command.
func gopath() string {
	if p := os.Getenv("GOPATH"); p != "" {
		return p
	}
	return filepath.Join(os.Getenv("HOME"), "go")
}

// keepEnv are the named variables of the environment that are set.
func keepEnv(names ...string) []string {
	var env []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
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
