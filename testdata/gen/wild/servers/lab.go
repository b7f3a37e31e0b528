package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"example.com/capture"
)

// A play starts a server and its load, and returns: what it started in the background ends with the context. It calls
// l.serve for the process that is captured.
type play func(ctx context.Context, l *lab) error

// A lab is one server at work.
type lab struct {
	row    row
	bin    string // of the server
	repo   string
	cache  string
	triage string
	age    time.Duration
	light  bool // a call every second or so, beside connections that are idle

	dir     string
	work    string            // where processes start; "" for dir
	pprof   string            // address of the pprof port; "" for none
	unix    string            // or the socket on which it is
	abort   bool              // the server handles SIGQUIT itself
	written map[string]string // captures that a tool writes itself, with their paths
	main    *process
	wg      sync.WaitGroup

	mu        sync.Mutex
	processes []*process // all that were started
}

// A process is one that the lab started. Its output is in a file.
type process struct {
	cmd    *exec.Cmd
	output string
	ended  chan struct{}
}

// labs is where servers keep their files: a short neutral path, since they print it.
const labs = "/tmp/lab"

// capture plays one server and keeps its captures.
func (l *lab) capture(ctx context.Context, p play, to string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.wg.Wait()
	defer cancel()
	l.dir = filepath.Join(labs, l.row.name)
	if err := errors.Join(os.RemoveAll(l.dir), os.MkdirAll(l.dir, 0o755)); err != nil {
		return err
	}
	defer os.RemoveAll(l.dir)
	defer l.kill()
	if err := p(ctx, l); err != nil {
		return err
	}
	if l.light {
		l.bystanders(ctx)
	}
	select {
	case <-l.main.ended:
		return fmt.Errorf("it ended too early: %s", l.main.tail())
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(l.age):
	}
	var files []capture.File
	if l.unix != "" {
		address, err := l.relay(ctx)
		if err != nil {
			return err
		}
		l.pprof = address
	}
	if l.pprof != "" {
		var err error
		if files, err = capture.Live(ctx, l.pprof, l.triage, l.row.gives); err != nil {
			return fmt.Errorf("%w: %s", err, l.main.tail())
		}
	}
	if l.row.gives("signal") {
		data, err := l.main.dump(l.abort)
		if err != nil {
			return err
		}
		files = append(files, capture.File{Name: "signal.txt", Data: data})
	}
	for name, path := range l.written {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, capture.File{Name: name, Data: data})
	}
	return capture.Write(to, files)
}

// serve starts the server itself.
func (l *lab) serve(args ...string) error {
	p, err := l.start(l.bin, args...)
	l.main = p
	return err
}

// start starts a process in the lab's folder, with nothing of this machine's environment.
func (l *lab) start(bin string, args ...string) (*process, error) {
	var env []string
	for len(args) > 0 && len(args[0]) > 4 && args[0][:4] == "env:" {
		env, args = append(env, args[0][4:]), args[1:]
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &process{output: filepath.Join(l.dir, fmt.Sprintf("output-%d", len(l.processes))), ended: make(chan struct{})}
	out, err := os.Create(p.output)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	p.cmd = exec.Command(bin)
	p.cmd.Args = append([]string{filepath.Base(bin)}, args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = cmp.Or(l.work, l.dir), out, out
	p.cmd.Env = append([]string{"GOTRACEBACK=all", "PATH=/usr/local/go/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + l.dir, "TZ=UTC"}, env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	l.processes = append(l.processes, p)
	go func() {
		p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// once runs a command to its end.
func (l *lab) once(ctx context.Context, bin string, args ...string) error {
	p, err := l.start(bin, args...)
	if err != nil {
		return err
	}
	select {
	case <-p.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	if p.cmd.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("%s: %s: %s", filepath.Base(bin), p.cmd.ProcessState, p.tail())
	}
	return nil
}

// kill ends every process of the lab, with its children.
func (l *lab) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.processes {
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.ended
	}
}

// tail is the end of what a process printed.
func (p *process) tail() string {
	data, _ := os.ReadFile(p.output)
	return string(data[max(0, len(data)-1500):])
}

// logBytes is how many bytes of a server's log stay in front of its dump.
const logBytes = 8 << 10

// dump ends a process by SIGQUIT and returns what it prints.
func (p *process) dump(abort bool) ([]byte, error) {
	sig, title := syscall.SIGQUIT, "SIGQUIT: quit"
	if abort {
		sig, title = syscall.SIGABRT, "SIGABRT: abort"
	}
	if err := p.cmd.Process.Signal(sig); err != nil {
		return nil, err
	}
	select {
	case <-p.ended:
	case <-time.After(capture.Patience):
		return nil, fmt.Errorf("it did not end by %s", title)
	}
	data, err := os.ReadFile(p.output)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(data, []byte(title))
	if at < 0 {
		return nil, fmt.Errorf("no %s in its output: %s", title, p.tail())
	}
	if from := max(0, at-logBytes); from > 0 {
		data = data[from:]
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	return data, nil
}

// port returns an address of 127.0.0.1 that is free.
func (l *lab) port() string {
	address, err := capture.FreeAddress()
	if err != nil {
		panic(err)
	}
	return address
}

// file writes a file in the lab's folder and returns its path.
func (l *lab) file(name, content string) string {
	path := filepath.Join(l.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		panic(err)
	}
	return path
}

// opens waits until something listens at an address.
func (l *lab) opens(ctx context.Context, address string) error {
	for deadline := time.Now().Add(4 * capture.Patience); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return nil
		}
	}
	return fmt.Errorf("nothing listens on %s: %s", address, l.main.tail())
}

// relay opens a TCP port in front of the socket with the pprof pages.
func (l *lab) relay(ctx context.Context) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	l.wg.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			l.wg.Go(func() { pipe(ctx, in, "unix", l.unix) })
		}
	})
	return listener.Addr().String(), nil
}

// quiet runs a command of the load; nobody looks at what comes of it.
func (l *lab) quiet(ctx context.Context, bin string, args ...string) {
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Env = l.dir, []string{"PATH=/usr/bin:/bin", "HOME=" + l.dir}
	cmd.Run()
}
