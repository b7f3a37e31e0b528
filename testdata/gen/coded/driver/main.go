// Command driver builds, runs and captures the programs that are judged with their source.
//
//	go run . -out ../../../coded -only '^night-'
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"wild/capture"
)

// age is how long a process runs before it is captured: longer than two minutes, after which the runtime collects
// garbage and knows how long goroutines have waited.
const age = 150 * time.Second

// forms are those of package capture that are taken; the signal's comes last.
var forms = []string{"debug2", "debug1", "goroutine"}

// releases build each program.
var releases = []string{runtime.Version(), "go1.22.12"}

func main() { capture.Main("driver", run) }

func run(ctx context.Context) error {
	o, err := capture.ParseFlags("programs")
	if err != nil {
		return err
	}
	lab, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "coded")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	programs, err := filepath.Glob(filepath.Join(lab, "*seen", "*", "main.go"))
	if err != nil {
		return err
	}
	var work capture.Work
	for _, path := range programs {
		dir := filepath.Dir(path)
		name := filepath.Base(dir)
		if !o.Only.MatchString(name) {
			continue
		}
		bins := make([]string, len(releases))
		for i, release := range releases { // one at a time: a build uses all processors
			bins[i] = filepath.Join(bin, name+release)
			if err := build(ctx, lab, dir, release, bins[i]); err != nil {
				return err
			}
		}
		to := filepath.Join(o.Out, filepath.Base(filepath.Dir(dir)), name)
		work.Go(name, func() error { return store(ctx, bins, to) })
	}
	return work.Wait()
}

// store captures a program, built by each release, and writes what it shows.
func store(ctx context.Context, bins []string, to string) error {
	captures, errs := make([][]capture.File, len(bins)), make([]error, len(bins))
	var wg sync.WaitGroup
	for i := range bins {
		wg.Go(func() { captures[i], errs[i] = processOf(bins[i]).Capture(ctx) })
	}
	wg.Wait()
	var files []capture.File
	for i, some := range captures {
		for _, f := range some {
			f.Name = releases[i] + "/" + f.Name
			files = append(files, f)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return capture.Write(to, files)
}

func processOf(bin string) *capture.Process {
	return &capture.Process{Command: []string{bin}, Address: "CODED_ADDR", Age: age, Forms: forms}
}

// build builds a program. One with main.go.built is built from that file, as if it were main.go.
func build(ctx context.Context, lab, dir, release, to string) error {
	args := []string{"-o", to}
	main := filepath.Join(dir, "main.go")
	if _, err := os.Stat(main + ".built"); err == nil {
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{main: main + ".built"}})
		if err == nil {
			err = os.WriteFile(to+".json", overlay, 0o600)
		}
		if err != nil {
			return err
		}
		args = append(args, "-overlay", to+".json")
	}
	return capture.Build(ctx, lab, []string{"GOTOOLCHAIN=" + release}, append(args, dir)...)
}
