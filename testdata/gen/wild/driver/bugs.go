package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// variants are the versions of a bug's module. The folder of the program has a module file for each: go.mod for the one
// with the bug, fixed.mod for the other, which is built with the tag `fixed`.
var variants = []string{"bad", "fixed"}

// A bug is one record of bugs.yaml.
type bug struct {
	name, kind, half string
}

// readBugs reads what captures need of bugs.yaml: name, kind and half. Its records are flat: each value is on the line of
// its key.
func readBugs(path string) ([]bug, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var bugs []bug
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case !ok:
		case key == "- name":
			bugs = append(bugs, bug{name: value})
		case len(bugs) == 0:
		case key == "kind":
			bugs[len(bugs)-1].kind = value
		case key == "half":
			bugs[len(bugs)-1].half = value
		}
	}
	for _, b := range bugs {
		if b.kind == "" || b.half == "" {
			return nil, fmt.Errorf("%s: %s has no kind or no half", path, b.name)
		}
	}
	return bugs, nil
}

// busy reports whether the program uses processors all the time: it is captured after a short while, alone.
func (b bug) busy() bool { return b.kind == "spin" || b.kind == "hot" }

// grows reports whether the program's memory grows: few run at a time.
func (b bug) grows() bool { return b.kind == "heap" }

// crashes reports whether the program ends by itself, with what it prints as its only capture.
func (b bug) crashes() bool { return b.kind == "crash" }

// age is how old a process is when it is captured. Whoever is on call comes minutes after a standstill; a leak needs
// time to grow.
func (b bug) age() time.Duration {
	switch {
	case b.busy():
		return 12 * time.Second
	case b.grows():
		return 150 * time.Second
	}
	return 5*time.Minute + 20*time.Second
}

// build returns the path of the binary of one variant, with no path of this machine in it.
func build(ctx context.Context, folder, variant, bins string) (string, error) {
	name := filepath.Base(folder)
	bin, err := filepath.Abs(filepath.Join(bins, name+"-"+variant))
	if err != nil {
		return "", err
	}
	args := []string{"build", "-trimpath", "-o", bin}
	if variant == "fixed" {
		args = append(args, "-modfile=fixed.mod", "-tags=fixed")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOENV=off", "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s, %s: %w\n%s", name, variant, err, out)
	}
	return bin, nil
}
