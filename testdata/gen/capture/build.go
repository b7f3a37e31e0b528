package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Go is a command of a Go release, which the go command at hand downloads, in the folder of a module: without C, and
// without what this machine has set. It trims the paths of this machine where the release can.
func Go(ctx context.Context, release, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOMODCACHE", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "GOTOOLCHAIN=go"+strings.TrimPrefix(release, "go"), "GO111MODULE=on", "GOWORK=off", "GOENV=off",
		"GOFLAGS=", "CGO_ENABLED=0")
	return cmd
}

// A Build is a program that a Go release makes of a package, in the folder of a module.
type Build struct {
	Release, Module, Package string
	Flags                    string // separated by spaces
	Env                      string // one variable, such as CGO_ENABLED=1
	Test                     bool   // a test binary
}

// Builds are those that were made, each once, in a folder.
type Builds struct {
	Dir  string
	mu   sync.Mutex
	made map[Build]string
}

// Path is the path of a program's binary, which is made if there is none yet. A package with main.go.built is built from
// that file, as if it were main.go.
func (b *Builds) Path(ctx context.Context, want Build) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bin, ok := b.made[want]; ok {
		return bin, nil
	}
	bin, err := filepath.Abs(filepath.Join(b.Dir, fmt.Sprintf("%s-%d", filepath.Base(want.Module), len(b.made))))
	if err != nil {
		return "", err
	}
	args := []string{"build"}
	if want.Test {
		args = []string{"test", "-c"}
	}
	args = append(append(args, "-trimpath", "-o", bin), strings.Fields(want.Flags)...)
	main, err := filepath.Abs(filepath.Join(want.Module, want.Package, "main.go"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(main + ".built"); err == nil {
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{main: main + ".built"}})
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(bin+".json", overlay, 0o600); err != nil {
			return "", err
		}
		args = append(args, "-overlay", bin+".json")
	}
	cmd := Go(ctx, want.Release, want.Module, append(args, want.Package)...)
	if want.Env != "" {
		cmd.Env = append(cmd.Env, want.Env)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s with %s: %w\n%s", want.Package, want.Release, err, out)
	}
	if b.made == nil {
		b.made = map[Build]string{}
	}
	b.made[want] = bin
	return bin, nil
}
