package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"wild/capture"
)

const atOnce = 200 // processes that wait at a time

// A task is one variant of one program: two processes, one as it is and one that collected garbage at its start, since
// only then a dump shows how long goroutines have waited.
type task struct {
	bug
	variant string
	bin     string
}

// store captures tasks and writes them below a folder, each in one of its variant's name.
func (d *driver) store(ctx context.Context, folder string, tasks []task) error {
	captures, errs := make([][]capture.File, len(tasks)), make([]error, len(tasks))
	var wg sync.WaitGroup
	for i, t := range tasks {
		wg.Go(func() { captures[i], errs[i] = d.capture(ctx, t) })
	}
	wg.Wait()
	var files []capture.File
	for i, t := range tasks {
		if errs[i] != nil {
			return fmt.Errorf("%s: %w", t.variant, errs[i])
		}
		for _, f := range captures[i] {
			f.Name = t.variant + "/" + f.Name
			files = append(files, f)
		}
	}
	return capture.Write(filepath.Join(d.Out, folder), files)
}

// A driver runs tasks side by side, those that compute one after the other.
type driver struct {
	capture.Options
	slots chan bool // of processes that wait
	few   chan bool // of processes whose memory grows
	alone chan bool // of the one that computes
}

// capture returns everything that both processes of a task show.
func (d *driver) capture(ctx context.Context, t task) ([]capture.File, error) {
	modes := []string{"plain", "collected"}
	switch {
	case t.late > 0:
		modes = modes[1:] // without minutes an old dump shows what a young one does
	case t.busy() || t.grows():
		modes = modes[:1] // a program that computes collects garbage by itself
	}
	captures, errs := make([][]capture.File, len(modes)), make([]error, len(modes))
	var wg sync.WaitGroup
	for i, mode := range modes {
		wg.Go(func() { captures[i], errs[i] = d.process(ctx, t, mode) })
	}
	wg.Wait()
	var files []capture.File
	for i, mode := range modes {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", mode, errs[i])
		}
		for _, f := range captures[i] {
			f.Name = mode + "/" + f.Name
			files = append(files, f)
		}
	}
	return files, nil
}

// process runs one process and returns its captures.
func (d *driver) process(ctx context.Context, t task, mode string) ([]capture.File, error) {
	turn := d.slots
	switch {
	case t.busy():
		turn = d.alone
	case t.grows():
		turn = d.few
	}
	select {
	case turn <- true:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	address, err := capture.FreeAddress()
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, t.bin)
	cmd.Stdout, cmd.Stderr = &output, &output
	// Nothing of this machine's environment: a program behaves the same wherever it is captured.
	cmd.Env = []string{
		"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "WILD_ADDR=" + address,
	}
	if mode == "collected" {
		cmd.Env = append(cmd.Env, "WILD_GC=1")
	}
	if cmd.Dir, err = os.MkdirTemp("", "wild"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(cmd.Dir)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		close(ended) // who has heard of the end may ask again
	}()
	files, err := d.watch(ctx, t, address, ended, cmd.Process)
	if err != nil {
		cmd.Process.Kill()
		<-ended
		return nil, fmt.Errorf("%w\n%.2000s", err, output.Bytes())
	}
	return append(files, capture.File{Name: "signal.txt", Data: output.Bytes()}), nil
}

// watch lets a process grow old, captures it and ends it by SIGABRT. It has ended when watch returns without an error.
func (d *driver) watch(
	ctx context.Context, t task, address string, ended <-chan error, p *os.Process,
) ([]capture.File, error) {
	var exit *exec.ExitError
	select {
	case err := <-ended:
		if t.crashes() && (err == nil || errors.As(err, &exit)) {
			return nil, nil
		}
		return nil, fmt.Errorf("the process ended too early: %w", err)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(t.age()):
	}
	files, err := capture.Live(ctx, address, d.Triage, t.wanted)
	if err != nil {
		return nil, err
	}
	if err := p.Signal(syscall.SIGABRT); err != nil {
		return nil, err
	}
	select {
	case err := <-ended:
		if err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		return files, nil
	case <-time.After(capture.Patience):
		return nil, errors.New("it did not end by SIGABRT")
	}
}
