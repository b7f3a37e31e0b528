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
	var tasks []task
	for _, b := range bugs {
		folder := filepath.Join(*lab, b.list, b.name)
		if !options.Only.MatchString(b.name) || *half != "" && b.half != *half {
			continue
		}
		if _, err := os.Stat(folder); err != nil {
			work.Fail(b.name, errors.New("no program yet"))
			continue
		}
		for _, variant := range b.variants() {
			bin, err := build(ctx, folder, variant, *bins)
			if err != nil {
				work.Fail(b.name+", "+variant, err)
				continue
			}
			tasks = append(tasks, task{bug: b, variant: variant, bin: bin})
		}
	}
	fmt.Fprintf(os.Stderr, "driver: %d programs\n", len(tasks))
	d := &driver{
		Options: options, alone: make(chan bool, 1), few: make(chan bool, 4), slots: make(chan bool, atOnce),
	}
	for _, t := range tasks {
		work.Go(t.name+", "+t.variant, func() error { return d.capture(ctx, t) })
	}
	return work.Wait()
}
