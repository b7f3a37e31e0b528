// Command driver remakes the fixtures: it fetches Go releases, builds the programs beside it with each, runs them,
// makes them dump their goroutines, and writes what they left together with a manifest.
//
//	go run . -out ../../dumps -go 1.26.8,1.22.12 -only '^spin-'
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// releases are the Go releases that fixtures are made with: each changed what a traceback looks like.
const releases = "1.12.17,1.16.15,1.18.10,1.20.14,1.22.12,1.23.12,1.25.5,1.26.8,1.27.4"

func main() {
	out := flag.String("out", "../../dumps", "folder for the fixtures")
	gen := flag.String("gen", "..", "folder with the programs")
	versions := flag.String("go", releases, "Go releases, comma separated")
	only := flag.String("only", "", "make only the fixtures whose name matches this regular expression")
	jobs := flag.Int("jobs", 2, "fixtures made at a time")
	flag.Parse()
	if err := run(*out, *gen, *versions, *only, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(out, gen, versions, only string, jobs int) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	gen, err = filepath.Abs(gen)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "fixtures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var made []entry
	var failed []error
	for _, text := range strings.Split(versions, ",") {
		v, err := parseVersion(text)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "driver: Go", v.text)
		t, err := newToolchain(v, gen, temp)
		if err != nil {
			return err
		}
		entries, errs := t.captureAll(catalog(), match, out, jobs)
		made, failed = append(made, entries...), append(failed, errs...)
	}
	paths, err := machinePaths(gen)
	if err != nil {
		return err
	}
	for _, e := range made {
		failed = append(failed, checkPaths(filepath.Join(out, e.file), paths))
	}
	failed = append(failed, updateManifest(filepath.Join(out, "MANIFEST.tsv"), made))
	fmt.Fprintf(os.Stderr, "driver: %d files\n", len(made))
	return errors.Join(failed...)
}

// captureAll makes all fixtures of one Go release, some at a time. A fixture that fails does not keep others from being made.
func (t *toolchain) captureAll(fixtures []fixture, match *regexp.Regexp, out string, jobs int) ([]entry, []error) {
	var (
		mu      sync.Mutex
		entries []entry
		errs    []error
		wg      sync.WaitGroup
	)
	slots := make(chan bool, jobs)
	for _, f := range fixtures {
		if !f.in(t.version) || !match.MatchString(f.name) {
			continue
		}
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			made, err := t.capture(f, out)
			mu.Lock()
			defer mu.Unlock()
			entries = append(entries, made...)
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	wg.Wait()
	return entries, errs
}
