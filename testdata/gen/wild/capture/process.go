package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// Build runs `go build` in a folder, without C, with more environment than this process has.
func Build(ctx context.Context, dir string, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-trimpath"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %q: %w\n%s", args, err, out)
	}
	return nil
}

// A Process is one that is left alone until it has an age, and then captured.
type Process struct {
	Command []string
	Address string // the environment variable with the address of its pprof port
	Age     time.Duration
	Forms   []string // of package capture; what SIGQUIT prints comes last, whatever they are
}

// Capture runs the process and returns its captures.
func (p *Process) Capture(ctx context.Context) ([]File, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Stderr = &output
	cmd.Env = []string{"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", p.Address + "=" + address}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // a child of the process may keep its output open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	select {
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), cmd.Wait())
	case <-time.After(p.Age):
	}
	files, err := Live(ctx, address, "", func(form string) bool { return slices.Contains(p.Forms, form) })
	if err := errors.Join(err, cmd.Process.Signal(syscall.SIGQUIT)); err != nil {
		return nil, fmt.Errorf("%w\n%.2000s", err, output.Bytes())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("it did not end by SIGQUIT: %w", err)
	}
	return append(files, File{Name: "signal.txt", Data: output.Bytes()}), nil
}
