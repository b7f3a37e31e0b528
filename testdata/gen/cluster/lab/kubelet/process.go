package kubelet

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cluster/lab/crilog"
)

// rotateAt is the size from which a container's log is rotated; a kubelet's containerLogMaxSize is 10Mi.
const rotateAt = 2 << 20

// commands are those that run as real processes.
var commands = []string{"sh", "sleep", "true", "false", "echo"}

var (
	programImage = regexp.MustCompile(`(?:^|/)lab/([a-z0-9-]+)(?:[:@]|$)`)
	variable     = regexp.MustCompile(`\$\(([A-Za-z_][A-Za-z0-9_]*)\)`)
)

// An instance is a container that runs.
type instance interface {
	// wait waits until the container ends, which the end of the context demands, and returns its exit code and reason.
	wait(stop context.Context, killing func()) (code int32, reason string)
}

// ports are the addresses of this machine at which a container listens.
type ports struct{ profiles, ready string }

// start starts an instance.
func (c *container) start(ctx context.Context, env map[string]string, id string) (instance, error) {
	log, err := crilog.Create(c.logPath(c.starts), rotateAt)
	if err != nil {
		return nil, err
	}
	path, args, err := c.executable(ctx, env)
	if err != nil || path == "" {
		log.Close()
		return played{}, err
	}
	c.ports = ports{freeAddress(), freeAddress()}
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "TZ=UTC", "GOTRACEBACK=all", "HOME=/", "HOSTNAME=" + c.worker.pod.Name,
		"NODE_NAME=" + c.worker.node.name, "LAB_ROOT=" + c.worker.root(),
		"LAB_SHARED=" + c.worker.node.fleet.options.Shared,
		"PPROF_ADDRESS=" + c.ports.profiles, "READY_ADDRESS=" + c.ports.ready,
		"POD_NAME=" + c.worker.pod.Name, "POD_NAMESPACE=" + c.worker.pod.Namespace}
	if programImage.MatchString(c.spec.Image) {
		file, err := c.worker.access(env)
		if err != nil {
			log.Close()
			return nil, err
		}
		cmd.Env = append(cmd.Env, "KUBECONFIG="+file)
	}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Dir = c.worker.root()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	stdout, stderr := log.Stream("stdout"), log.Stream("stderr")
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		log.Close()
		return nil, err
	}
	c.worker.node.fleet.addProfile(id, Profile{c.worker.pod.Namespace, c.worker.pod.Name, c.spec.Name, c.ports.profiles})
	grace := 30 * time.Second
	if s := c.worker.pod.Spec.TerminationGracePeriodSeconds; s != nil {
		grace = time.Duration(*s) * time.Second
	}
	p := &process{cmd: cmd, grace: grace, ended: make(chan struct{})}
	go func() {
		cmd.Wait()
		for _, closer := range []io.Closer{stdout, stderr, log} {
			closer.Close()
		}
		close(p.ended)
	}()
	return p, nil
}

// executable is what a container runs: "" for one that is only played.
func (c *container) executable(ctx context.Context, env map[string]string) (string, []string, error) {
	var words []string
	for _, word := range slices.Concat(c.spec.Command, c.spec.Args) {
		words = append(words, c.mounted(variable.ReplaceAllStringFunc(word, func(use string) string {
			if value, ok := env[use[2:len(use)-1]]; ok {
				return value
			}
			return use
		})))
	}
	if found := programImage.FindStringSubmatch(c.spec.Image); found != nil {
		path, err := c.worker.node.fleet.options.Program(ctx, found[1])
		if len(c.spec.Command) > 0 && filepath.Base(words[0]) == found[1] {
			words = words[1:]
		}
		return path, words, err
	}
	if len(c.spec.Command) > 0 && slices.Contains(commands, filepath.Base(words[0])) {
		return "/bin/" + filepath.Base(words[0]), words[1:], nil
	}
	return "", nil, nil
}

// mounted is an argument with the path of a volume, or with NAME=PATH, as this machine's processes see it.
func (c *container) mounted(word string) string {
	_, path, named := strings.Cut(word, "=")
	if !named {
		path = word
	}
	for _, m := range c.spec.VolumeMounts {
		if in, ok := strings.CutPrefix(path, m.MountPath); ok && (in == "" || in[0] == '/') {
			return strings.TrimSuffix(word, path) + filepath.Join(c.worker.root(), path)
		}
	}
	return word
}

// played is a container without a process: it runs until it is stopped.
type played struct{}

func (played) wait(stop context.Context, killing func()) (int32, string) {
	<-stop.Done()
	killing()
	time.Sleep(200 * time.Millisecond)
	return 0, "Completed"
}

// A process is a container that is a process of this machine.
type process struct {
	cmd   *exec.Cmd
	grace time.Duration
	ended chan struct{}
}

func (p *process) wait(stop context.Context, killing func()) (int32, string) {
	killed := false
	select {
	case <-p.ended:
	case <-stop.Done():
		killing()
		killed = true
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-p.ended:
		case <-time.After(p.grace):
			syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
			<-p.ended
		}
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	code := int32(p.cmd.ProcessState.ExitCode())
	if ok && status.Signaled() {
		code = 128 + int32(status.Signal())
		if status.Signal() == syscall.SIGKILL && !killed {
			return code, "OOMKilled"
		}
	}
	if code == 0 {
		return 0, "Completed"
	}
	return code, "Error"
}

// answers waits until the container is ready, and reports whether it is.
func (c *container) answers(ctx context.Context, env map[string]string) bool {
	wish := env["LAB_READY"]
	if wish == "false" {
		return false
	}
	if delay, err := time.ParseDuration(wish); err == nil {
		return sleep(ctx, delay)
	}
	probe := c.spec.ReadinessProbe
	if probe == nil || probe.HTTPGet == nil || !programImage.MatchString(c.spec.Image) {
		return sleep(ctx, 500*time.Millisecond)
	}
	for failures := 0; sleep(ctx, time.Second); {
		answer, err := http.Get("http://" + c.ports.ready + probe.HTTPGet.Path)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode < 400 {
				return true
			}
			err = fmt.Errorf("HTTP probe failed with statuscode: %d", answer.StatusCode)
		}
		if failures++; failures%10 == 1 {
			c.warn("Unhealthy", "Readiness probe failed: "+strings.ReplaceAll(err.Error(), c.ports.ready, c.worker.address()))
		}
	}
	return false
}

// freeAddress is an address of this machine at which nothing listens.
func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:0"
	}
	defer l.Close()
	return l.Addr().String()
}

// access writes the kubeconfig that a pod's processes use, and returns its path.
func (w *worker) access(env map[string]string) (string, error) {
	server, _ := strconv.Atoi(env["LAB_SERVER"])
	o := w.node.fleet.options
	path := filepath.Join(w.root(), "kubeconfig")
	var config []byte
	var err error
	if user := env["LAB_USER"]; user != "" {
		config, err = o.Kubeconfig(server, user)
	} else {
		config, err = o.TokenKubeconfig(server, filepath.Join(w.root(), tokenFolder, "token"))
	}
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, config, 0o600)
}

// address is the address that the pod says it has.
func (w *worker) address() string {
	sum := digest(string(w.pod.UID))
	last, _ := strconv.ParseUint(sum[:2], 16, 8)
	third, _ := strconv.ParseUint(sum[2:4], 16, 8)
	return fmt.Sprintf("10.%d.%d.%d", 244+w.node.index, third, max(2, last))
}
