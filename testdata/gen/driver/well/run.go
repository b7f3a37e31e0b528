package well

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	atOnce   = 12               // processes that run at a time, besides those that only live long
	patience = 30 * time.Second // how long a program may take until it is at work, or for a dump
	longLife = time.Minute      // who lives longer than that takes little of the machine, and none of the slots
)

// A driver runs tasks. No dump may hold one of the secrets: the paths of this machine.
type driver struct {
	temp    string
	secrets []string
}

// runAll runs the tasks side by side. One that fails does not keep the others from being run.
func (d *driver) runAll(tasks []task) []error {
	var (
		mu    sync.Mutex
		errs  []error
		wg    sync.WaitGroup
		slots = make(chan bool, atOnce)
		alone sync.Mutex
	)
	for _, t := range tasks {
		wg.Go(func() {
			if t.heavy {
				alone.Lock()
				defer alone.Unlock()
			} else if t.moments[len(t.moments)-1] < longLife {
				slots <- true
				defer func() { <-slots }()
			}
			if err := d.run(t); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, fmt.Errorf("%s: %w", t.files[0], err))
			}
		})
	}
	wg.Wait()
	return errs
}

// run runs one process and writes its dumps.
func (d *driver) run(t task) error {
	dir, err := os.MkdirTemp(d.temp, t.name)
	if err != nil {
		return err
	}
	ready, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd := exec.Command(t.bin, t.args...)
	cmd.Dir = dir
	// Nothing of this machine's environment: a program behaves the same wherever its dumps are remade.
	cmd.Env = append([]string{"GOMAXPROCS=4", "PATH=/usr/bin:/bin"}, t.env...)
	if !t.dies {
		cmd.Env = append(cmd.Env, "DUMPS="+dir)
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.ExtraFiles = []*os.File{tell}
	if err := cmd.Start(); err != nil {
		return err
	}
	tell.Close()
	dumpErr := d.dump(t, cmd.Process, ready, dir)
	if !t.dies || dumpErr != nil {
		cmd.Process.Kill()
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	if dumpErr != nil {
		return fmt.Errorf("%w\n%.2000s", dumpErr, output.Bytes())
	}
	if t.dies {
		return d.keep(t.files[0], output.Bytes())
	}
	return nil
}

// dump sends a process the signal that it dies of, or asks it for its dumps and writes each as it comes.
func (d *driver) dump(t task, process *os.Process, ready *os.File, dir string) error {
	answers := bufio.NewReader(ready)
	answer := func() error {
		if err := ready.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		_, err := answers.ReadString('\n')
		return err
	}
	if err := answer(); err != nil {
		return fmt.Errorf("waiting for the program to be at work: %w", err)
	}
	start := time.Now()
	for i, at := range t.moments {
		time.Sleep(at - time.Since(start))
		if t.dies {
			return process.Signal(syscall.SIGABRT)
		}
		if err := process.Signal(syscall.SIGUSR1); err != nil {
			return fmt.Errorf("asking for dump %d: %w", i+1, err)
		}
		if err := answer(); err != nil {
			return fmt.Errorf("waiting for dump %d: %w", i+1, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i+1)+".txt"))
		if err != nil {
			return err
		}
		if err := d.keep(t.files[i], text); err != nil {
			return err
		}
	}
	return nil
}

// keep writes a dump to where it belongs.
func (d *driver) keep(file string, text []byte) error {
	if !bytes.Contains(text, []byte("goroutine ")) {
		return fmt.Errorf("no dump in its output:\n%.2000s", text)
	}
	for _, secret := range d.secrets {
		if at := bytes.Index(text, []byte(secret)); at >= 0 {
			return fmt.Errorf("it holds a path of this machine: %.200s", text[at:])
		}
	}
	fmt.Fprintln(os.Stderr, "driver:", filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)))
	return write(file, text)
}

// write writes a dump, which gen/pack compresses.
func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
