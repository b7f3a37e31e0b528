// Command driver captures the published bugs of the lab: it builds each program with the version that has the bug and
// with the one that has it fixed, lets both work, and keeps what a person on call could collect from them. The healthy
// programs it builds with two releases of Go.
//
//	go run . -out ../../../wild -only '^raft-' -triage ../../../../bin/triage
//
// It never looks at what triage makes of a capture: the labels are older than every capture.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"wild/capture"
)

func main() { capture.Main("driver", run) }

func run(ctx context.Context) error {
	lab := flag.String("lab", "..", "folder with bugs.yaml, healthy.yaml and the programs")
	bins := flag.String("bins", filepath.Join(os.TempDir(), "triage-wild"),
		"folder for the binaries, which are used again")
	list := flag.String("list", "", "only the programs of this list: bugs or healthy")
	half := flag.String("half", "", "only the bugs of this half, or of a later set: first, second, third, fourth or fifth")
	age := flag.Duration("age", 0, "let standstills and healthy programs get this old, and take their goroutines alone")
	options, err := capture.ParseFlags("bugs")
	if err != nil {
		return err
	}
	var bugs []bug
	for _, name := range lists {
		if *list != "" && *list != name {
			continue
		}
		some, err := readBugs(*lab, name)
		if err != nil {
			return err
		}
		bugs = append(bugs, some...)
	}
	var work capture.Work
	programs := map[string][]task{} // folder below -out → what it holds
	for _, b := range bugs {
		if !options.Only.MatchString(b.name) || *half != "" && b.half != *half {
			continue
		}
		if b.late = *age; b.late > 0 && !b.waits() {
			continue
		}
		tasks, err := buildAll(ctx, b, filepath.Join(*lab, b.list, b.name), *bins)
		if err != nil {
			work.Fail(b.name, err)
			continue
		}
		programs[b.folder()] = tasks
	}
	fmt.Fprintf(os.Stderr, "driver: %d programs\n", len(programs))
	d := &driver{
		Options: options, alone: make(chan bool, 1), few: make(chan bool, 4), slots: make(chan bool, atOnce),
	}
	for folder, tasks := range programs {
		work.Go(folder, func() error { return d.store(ctx, folder, tasks) })
	}
	return work.Wait()
}

// buildAll builds all variants of a program.
func buildAll(ctx context.Context, b bug, folder, bins string) ([]task, error) {
	if _, err := os.Stat(folder); err != nil {
		return nil, errors.New("no program yet")
	}
	var tasks []task
	for _, variant := range b.variants() {
		bin, err := build(ctx, folder, variant, bins)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variant, err)
		}
		tasks = append(tasks, task{bug: b, variant: variant, bin: bin})
	}
	return tasks, nil
}
