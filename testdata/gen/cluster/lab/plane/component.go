package plane

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"cluster/lab/crilog"
)

// A component is a process that is started again when it ends. Its output is in a container's log.
type component struct {
	name, bin string
	host      string // the host name that it sees; "" for this machine's
	args      []string
	log       *crilog.Log

	mu      sync.Mutex
	cmd     *exec.Cmd
	stopped bool
	ends    int           // how often it has ended by itself
	ended   chan struct{} // closed after the last process has ended
}

// run starts a component on a host.
func (p *Plane) run(name, host, bin string, args ...string) error {
	log, err := crilog.Create(p.logPath(name), 0)
	if err != nil {
		return err
	}
	c := &component{name: name, host: host, bin: bin, args: args, log: log, ended: make(chan struct{})}
	if err := c.start(); err != nil {
		return err
	}
	p.components = append(p.components, c)
	go c.keep()
	return nil
}

// start starts the process.
func (c *component) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return os.ErrClosed
	}
	cmd := exec.Command(c.bin, c.args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/", "TZ=UTC", "GOTRACEBACK=all"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if c.host != "" {
		cmd.Env = append(cmd.Env, "NODE_NAME="+c.host)
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUTS
		if os.Getuid() != 0 { // who is not root may do so in a namespace of users
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
	}
	stderr := c.log.Stream("stderr")
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", c.name, err)
	}
	c.cmd = cmd
	return nil
}

// keep starts the process again until it is stopped.
func (c *component) keep() {
	defer close(c.ended)
	for {
		err := c.cmd.Wait()
		if c.isStopped() {
			return
		}
		fmt.Fprintf(os.Stderr, "%s ended: %v\n", c.name, err)
		time.Sleep(time.Second)
		c.mu.Lock()
		c.ends++
		hopeless := c.ends > 5
		c.mu.Unlock()
		if hopeless || c.start() != nil {
			return
		}
	}
}

func (c *component) isStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// stop ends the process for good.
func (c *component) stop() {
	c.mu.Lock()
	c.stopped = true
	cmd := c.cmd
	c.mu.Unlock()
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		<-c.ended
	}
	c.log.Close()
}

// Quit ends a component by SIGQUIT, and returns its log without what a container runtime puts before each line.
func (p *Plane) Quit(name string, patience time.Duration) ([]byte, error) {
	for _, c := range p.components {
		if c.name != name {
			continue
		}
		c.mu.Lock()
		c.stopped = true
		err := c.cmd.Process.Signal(syscall.SIGQUIT)
		c.mu.Unlock()
		if err != nil {
			return nil, err
		}
		select {
		case <-c.ended:
		case <-time.After(patience):
			return nil, fmt.Errorf("%s does not end", name)
		}
		data, err := os.ReadFile(p.logPath(name))
		return crilog.Untag(data, false), err
	}
	return nil, fmt.Errorf("no component %s", name)
}
