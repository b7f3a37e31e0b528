package capture

import (
	"bufio"
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

// A Process is one that is left alone until it has an age, and then captured.
type Process struct {
	Command []string
	Env     []string // besides what all have, which is nothing of this machine
	Address string   // the environment variable with the address of its pprof port
	Age     time.Duration
	Forms   []string       // what SIGABRT prints comes last, whatever they are
	Triage  string         // a triage binary, for the form `fetch`
	Signal  syscall.Signal // instead of SIGABRT
	// Crash is the file with what a process printed that ends by itself; "" if it must not end.
	Crash string
	// Line gets the lines of its standard output, which is in no capture then, and Warm reports whether it is captured
	// before it has its age.
	Line func(ctx context.Context, line string)
	Warm func(pid int) bool
}

// Capture runs the process in a folder of its own and returns its captures.
func (p *Process) Capture(ctx context.Context) (files []File, err error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "process")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &output, &output
	cmd.Env = append([]string{"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=" + dir,
		p.Address + "=" + address}, p.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as a daemon, which does not share the driver's CPU time
	cmd.WaitDelay = time.Second                          // a child of the process may keep its output open
	if p.Line != nil {
		if err := p.listen(ctx, cmd); err != nil {
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if over, err := p.grow(ctx, cmd.Process.Pid, ended); err != nil || over {
		if err != nil || p.Crash == "" {
			return nil, fmt.Errorf("it ended too early: %w\n%.2000s", err, output.Bytes())
		}
		return []File{{p.Crash, output.Bytes()}}, nil
	}
	files, err = Live(ctx, address, p.Triage, func(form string) bool { return slices.Contains(p.Forms, form) })
	if err != nil {
		return nil, fmt.Errorf("%w\n%.2000s", err, output.Bytes())
	}
	if p.Signal == 0 {
		p.Signal = syscall.SIGABRT
	}
	if err := cmd.Process.Signal(p.Signal); err != nil {
		return nil, err
	}
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
			return nil, err
		}
		return append(files, File{"signal.txt", output.Bytes()}), nil
	case <-time.After(Patience):
		return nil, fmt.Errorf("it did not end by %v", p.Signal)
	}
}

// grow waits until the process is to be captured, and reports whether it has ended before.
func (p *Process) grow(ctx context.Context, pid int, ended <-chan error) (over bool, err error) {
	old := time.After(p.Age)
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				err = nil
			}
			return true, err
		case <-old:
			return false, nil
		case <-time.After(200 * time.Millisecond):
			if p.Warm != nil && p.Warm(pid) {
				return false, nil
			}
		}
	}
}

// listen hands on what the process prints on its standard output.
func (p *Process) listen(ctx context.Context, cmd *exec.Cmd) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.Stdout = w
	context.AfterFunc(ctx, func() { w.Close() })
	go func() {
		defer r.Close()
		for lines := bufio.NewScanner(r); lines.Scan(); {
			p.Line(ctx, lines.Text())
		}
	}()
	return nil
}
