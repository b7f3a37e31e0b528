// Package dumps remakes dumps of all Go releases: it builds the programs with each, runs them, makes them dump their
// goroutines, and writes what they left together with a list of it.
package dumps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"example.com/capture"
)

// releases are the Go releases that fixtures are made with: each changed what a traceback looks like.
const releases = "1.12.17,1.16.15,1.18.10,1.20.14,1.22.12,1.23.12,1.25.5,1.26.8,1.27.4"

// atOnce are the fixtures made at a time.
const atOnce = 2

// Make makes the fixtures whose names are asked for, with some releases, or with all.
func Make(ctx context.Context, gen, versions string, o capture.Options) error {
	temp, err := os.MkdirTemp("", "fixtures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var made []entry
	var failed []error
	for _, text := range strings.Split(cmp.Or(versions, releases), ",") {
		v, err := parseVersion(text)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "driver: Go", v.text)
		t := &toolchain{ctx: ctx, version: v, gen: gen, temp: temp, built: map[string]string{}}
		entries, errs := t.captureAll(catalog(), o)
		made, failed = append(made, entries...), append(failed, errs...)
	}
	paths, err := machinePaths(gen)
	if err != nil {
		return err
	}
	for _, e := range made {
		failed = append(failed, checkPaths(filepath.Join(o.Out, e.file), paths))
	}
	failed = append(failed, capture.UpdateLabels(filepath.Join(o.Out, "all.yaml"), labels(made)))
	fmt.Fprintf(os.Stderr, "driver: %d files\n", len(made))
	return errors.Join(failed...)
}

// captureAll makes all fixtures of one Go release, some at a time. A fixture that fails does not keep others from being made.
func (t *toolchain) captureAll(fixtures []fixture, o capture.Options) ([]entry, []error) {
	var (
		mu      sync.Mutex
		entries []entry
		errs    []error
		wg      sync.WaitGroup
	)
	slots := make(chan bool, atOnce)
	for _, f := range fixtures {
		if !f.in(t.version) || !o.Only.MatchString(f.name) {
			continue
		}
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			made, err := t.capture(f, o.Out)
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
