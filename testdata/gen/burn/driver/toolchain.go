package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// A toolchain builds the programs with one Go release.
type toolchain struct {
	release string
	root    string // its GOROOT
	temp    string
}

// A build is one of the programs: a module below the folder of the programs, with build flags.
type build struct {
	name, module string
	flags        []string
	cgo          bool
	only         string // the one kind that it is for, "" for all
	newestOnly   bool
}

var builds = []build{
	{name: "burn", module: "."},
	{name: "burnc", module: ".", flags: []string{"-tags=c"}, cgo: true, only: "cgo", newestOnly: true},
	{name: "harbor", module: "k8s", newestOnly: true},
}

// installed is the folder that profiles name as the program's. It has as many letters as the folder that it was in, so that one can be
// put for the other in a profile without taking it apart.
const installed = "/usr/local/bin"

// tempDir makes a folder with a name as long as installed.
func tempDir() (string, error) {
	for i := 0; i < 100; i++ {
		dir := fmt.Sprintf("/tmp/fixture%02d", i)
		if err := os.Mkdir(dir, 0o700); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("no folder /tmp/fixture00 to /tmp/fixture99 can be made")
}

// newToolchain downloads a Go release as the module golang.org/toolchain. The module system drops the executable bits, which are
// set again here.
func newToolchain(release, temp string) (*toolchain, error) {
	cmd := exec.Command("go", "mod", "download", "-modcacherw", "-json", "golang.org/toolchain@v0.0.1-go"+release+".linux-amd64")
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "GOFLAGS=")
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
	return &toolchain{release: release, root: module.Dir, temp: temp}, nil
}

// build is the path of a program's binary.
func (t *toolchain) build(burn string, b build) (string, error) {
	bin := filepath.Join(t.temp, b.name+"-"+short(t.release))
	args := append([]string{"build", "-o", bin, "-trimpath", "-ldflags=-buildid="}, b.flags...)
	cmd := exec.Command(filepath.Join(t.root, "bin", "go"), append(args, ".")...)
	cmd.Dir = filepath.Join(burn, b.module)
	cgo := "CGO_ENABLED=0"
	if b.cgo {
		cgo = "CGO_ENABLED=1"
	}
	for _, name := range []string{"HOME", "GOCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOMODCACHE"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "PATH="+filepath.Join(t.root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOROOT="+t.root, "GOTOOLCHAIN=local", "GOWORK=off", "GOENV=off", cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s with Go %s: %w\n%s", b.name, t.release, err, out)
	}
	return bin, nil
}
