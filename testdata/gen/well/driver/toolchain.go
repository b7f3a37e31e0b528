package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// mainRelease is the release of which every program has its dumps.
const mainRelease = "1.26"

// A toolchain builds programs with one Go release.
type toolchain struct {
	release   string
	root      string // its GOROOT
	gen, temp string
}

// newToolchain downloads a Go release as the module golang.org/toolchain. The module system drops the executable bits,
// which are set again here: `go` does the same when it switches toolchains.
func newToolchain(release, gen, temp string) (*toolchain, error) {
	cmd := exec.Command("go", "mod", "download", "-modcacherw", "-json", "golang.org/toolchain@v0.0.1-go"+release+".linux-amd64")
	cmd.Dir = temp
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading Go %s: %w: %s", release, err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, fmt.Errorf("reading where Go %s is: %w", release, err)
	}
	for _, dir := range []string{"bin", "pkg/tool"} {
		err := filepath.WalkDir(filepath.Join(module.Dir, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			return os.Chmod(path, 0o755)
		})
		if err != nil {
			return nil, fmt.Errorf("making Go %s executable: %w", release, err)
		}
	}
	return &toolchain{release: release, root: module.Dir, gen: gen, temp: temp}, nil
}

// isMain reports whether the toolchain is of mainRelease.
func (t *toolchain) isMain() bool { return strings.HasPrefix(t.release, mainRelease+".") }

// prefix begins the names of the dumps of another release than the main one: "go1.18-".
func (t *toolchain) prefix() string {
	if t.isMain() {
		return ""
	}
	return "go" + t.release[:strings.LastIndexByte(t.release, '.')] + "-"
}

// build is the path of a program's binary.
func (t *toolchain) build(p program, folder string) (string, error) {
	bin := filepath.Join(t.temp, folder, p.name)
	args := []string{"build", "-trimpath", "-o", bin, "."}
	if p.tests {
		args = []string{"test", "-c", "-trimpath", "-o", bin, "."}
	}
	cmd := exec.Command(filepath.Join(t.root, "bin", "go"), args...)
	cmd.Dir = filepath.Join(t.gen, p.source())
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(t.root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOROOT="+t.root, "GOTOOLCHAIN=local", "GOWORK=off", "GOENV=off", "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s with Go %s: %w\n%s", p.name, t.release, err, out)
	}
	return bin, nil
}
