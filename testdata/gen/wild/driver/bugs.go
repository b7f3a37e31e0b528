package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// variants are the versions of a bug's module. The folder of the program has a module file for each: go.mod for the one
// with the bug, fixed.mod for the other, which is built with the tag `fixed`.
var variants = []string{"bad", "fixed"}

// lists are the lists of programs: each has a file with its records and a folder with the programs.
var lists = []string{"bugs", "healthy"}

// older is the old release that builds a healthy program besides this machine's, by the release that it needs: there is
// none for programs that need a later one.
var older = map[string]string{"1.20": "go1.20.14", "1.22": "go1.22.12"}

// A bug is one record of bugs.yaml, or of healthy.yaml: a program that only looks as if it had one.
type bug struct {
	list, name, kind, half string
	release                string // the oldest Go release that builds a healthy program

	late time.Duration // how old it is when its goroutines are captured; 0: as old as its kind wants, in every form
}

// readBugs reads what captures need of a list: name, kind and half, and the release of a healthy program. Records are
// flat: each value is on the line of its key.
func readBugs(lab, list string) ([]bug, error) {
	path := filepath.Join(lab, list+".yaml")
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
			bugs = append(bugs, bug{list: list, name: value})
		case len(bugs) == 0:
		case key == "kind":
			bugs[len(bugs)-1].kind = value
		case key == "half":
			bugs[len(bugs)-1].half = value
		case key == "go":
			bugs[len(bugs)-1].release = strings.Trim(value, `"`)
		}
	}
	for _, b := range bugs {
		if b.kind == "" || b.half == "" {
			return nil, fmt.Errorf("%s: %s has no kind or no half", path, b.name)
		}
	}
	return bugs, nil
}

// healthy reports whether nothing is wrong with the program: it has no fixed version.
func (b bug) healthy() bool { return b.list == "healthy" }

// lateForms are those that show how old waits are, or what goroutines wait for.
var lateForms = []string{"debug2", "two", "debug1", "goroutine"}

// wanted reports whether a form is captured: a profile shows little of programs that were written to wait.
func (b bug) wanted(form string) bool {
	if b.late > 0 {
		return slices.Contains(lateForms, form)
	}
	return !b.healthy() || !slices.Contains([]string{"allocs", "mutex", "block", "fetch"}, form)
}

// variants are what is built of a program: the versions of a bug's module, or the releases that a healthy one is built
// with.
func (b bug) variants() []string {
	if b.healthy() {
		releases := []string{runtime.Version()}
		if old := older[b.release]; old != "" && b.late == 0 {
			releases = append(releases, old)
		}
		return releases
	}
	return variants
}

// folder is where the captures of a program are, below the folder for all captures.
func (b bug) folder() string { return filepath.Join(b.list, b.half, b.name) }

// busy reports whether the program uses processors all the time: it is captured after a short while, alone.
func (b bug) busy() bool { return b.kind == "spin" || b.kind == "hot" || b.kind == "busy" }

// grows reports whether the program's memory grows: few run at a time.
func (b bug) grows() bool { return b.kind == "heap" }

// crashes reports whether the program ends by itself, with what it prints as its only capture.
func (b bug) crashes() bool { return b.kind == "crash" }

// waits reports whether the program does little else: many run side by side for as long as one likes. What leaks only
// becomes more.
func (b bug) waits() bool { return b.kind == "deadlock" || b.healthy() && !b.busy() }

// age is how old a process is when it is captured. Whoever is on call comes minutes after a standstill; a leak needs
// time to grow.
func (b bug) age() time.Duration {
	switch {
	case b.late > 0:
		return b.late
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
	toolchain := runtime.Version()
	switch {
	case strings.HasPrefix(variant, "go"):
		toolchain = variant
	case variant == "fixed":
		args = append(args, "-modfile=fixed.mod", "-tags=fixed")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOENV=off", "GOFLAGS=", "CGO_ENABLED=0", "GOTOOLCHAIN="+toolchain)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
}
