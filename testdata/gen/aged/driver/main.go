// Command driver runs all programs side by side for twenty minutes and captures their goroutines.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"wild/capture"
)

// age is how old a process is when it is captured: older than what triage takes for long (a quarter of an hour), by as
// much as minutes in a dump may be too few.
const age = 20 * time.Minute

// forms are those in which a process is captured, besides what SIGQUIT prints.
var forms = []string{"debug2"}

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
	temp, err := os.MkdirTemp("", "aged")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	bin := filepath.Join(temp, "aged")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", bin, ".")
	cmd.Dir, cmd.Env = lab, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	programs, err := filepath.Glob(filepath.Join(lab, "*", "*", "*.go"))
	if err != nil {
		return err
	}
	var work capture.Work
	for _, path := range programs {
		name := filepath.Base(filepath.Dir(path))
		if !o.Only.MatchString(name) {
			continue
		}
		work.Go(name, func() error {
			files, err := process(ctx, bin, name)
			if err != nil {
				return err
			}
			return capture.Write(filepath.Join(o.Out, name+".tar.xz"), files)
		})
	}
	return work.Wait()
}

// process runs one process and returns its captures.
func process(ctx context.Context, bin, name string) ([]capture.File, error) {
	address, err := capture.FreeAddress()
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, bin, name)
	cmd.Stderr = &output
	cmd.Env = []string{"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "AGED_ADDR=" + address}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	if err := cmd.Wait(); !errors.As(err, &exit) {
		return nil, fmt.Errorf("it did not end by SIGQUIT: %w", err)
	}
	return append(files, capture.File{Name: "signal.txt", Data: output.Bytes()}), nil
}
