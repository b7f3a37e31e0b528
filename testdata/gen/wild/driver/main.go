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
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	out := flag.String("out", "../../../wild", "folder for the captures")
	lab := flag.String("lab", "..", "folder with bugs.yaml, healthy.yaml and the programs")
	bins := flag.String("bins", filepath.Join(os.TempDir(), "triage-wild"), "folder for the binaries, which are used again")
	triage := flag.String("triage", "", "a triage binary for the form `fetch`; without it that form is left out")
	only := flag.String("only", "", "only the bugs whose name matches this regular expression")
	list := flag.String("list", "", "only the programs of this list: bugs or healthy")
	half := flag.String("half", "", "only the bugs of this half: first or second")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if *triage != "" {
		if *triage, err = filepath.Abs(*triage); err != nil {
			return err
		}
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
	d := &driver{triage: *triage, out: *out, alone: make(chan bool, 1), few: make(chan bool, 4), slots: make(chan bool, atOnce)}
	var tasks []task
	var errs []error
	for _, b := range bugs {
		folder := filepath.Join(*lab, b.list, b.name)
		if !match.MatchString(b.name) || *half != "" && b.half != *half {
			continue
		}
		if _, err := os.Stat(folder); err != nil {
			errs = append(errs, fmt.Errorf("%s: no program yet", b.name))
			continue
		}
		for _, variant := range b.variants() {
			bin, err := build(ctx, folder, variant, *bins)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			tasks = append(tasks, task{bug: b, variant: variant, bin: bin})
		}
	}
	fmt.Fprintf(os.Stderr, "driver: %d programs\n", len(tasks))
	return errors.Join(append(errs, d.runAll(ctx, tasks)...)...)
}
