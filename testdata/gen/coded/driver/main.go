// Command driver builds, runs and captures the programs that are judged with their source.
//
//	go run . -out ../../../coded -only '^night-'
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
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
		to := filepath.Join(o.Out, filepath.Base(filepath.Dir(dir)), name+".tar.xz")
		work.Go(name, func() error { return store(ctx, bins, to) })
	}
	return work.Wait()
}

// store captures a program, built by each release, and writes what it shows.
func store(ctx context.Context, bins []string, to string) error {
	captures, errs := make([][]capture.File, len(bins)), make([]error, len(bins))
	var wg sync.WaitGroup
	for i := range bins {
		wg.Go(func() { captures[i], errs[i] = process(ctx, bins[i]) })
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

// build builds a program. One with main.go.built is built from that file, as if it were main.go.
func build(ctx context.Context, lab, dir, release, to string) error {
	args := []string{"build", "-trimpath", "-o", to}
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
	cmd := exec.CommandContext(ctx, "go", append(args, dir)...)
	cmd.Dir = lab
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOTOOLCHAIN="+release)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building with %s: %w\n%s", release, err, out)
	}
	return nil
}

// process runs one process and returns its captures.
func process(ctx context.Context, bin string) ([]capture.File, error) {
	address, err := capture.FreeAddress()
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, bin)
	cmd.Stderr = &output
	cmd.Env = []string{"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "CODED_ADDR=" + address}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // a child of the process may keep its output open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	select {
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), cmd.Wait())
	case <-time.After(age):
	}
	files, err := capture.Live(ctx, address, "", func(form string) bool { return slices.Contains(forms, form) })
	if err := errors.Join(err, cmd.Process.Signal(syscall.SIGQUIT)); err != nil {
		return nil, fmt.Errorf("%w\n%.2000s", err, output.Bytes())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("it did not end by SIGQUIT: %w", err)
	}
	return append(files, capture.File{Name: "signal.txt", Data: output.Bytes()}), nil
}
