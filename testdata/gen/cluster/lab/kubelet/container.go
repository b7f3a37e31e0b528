package kubelet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Delays of containers that cannot run. A kubelet's are 10 s, doubled up to 5 min; these are shorter, as the scenes are.
const (
	firstDelay   = 4 * time.Second
	longestDelay = 64 * time.Second
)

// A container is one of a pod's. The worker's mutex guards what changes.
type container struct {
	worker *worker
	spec   v1.Container

	state, last v1.ContainerState
	restarts    int32
	ready       bool
	id          string // of the instance that was started last
	starts      int
	ports       ports
}

// newContainer makes a container that waits.
func newContainer(w *worker, spec v1.Container, reason string) *container {
	return &container{worker: w, spec: spec, state: v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: reason}}}
}

// succeeded reports whether the container has ended well. The worker's mutex may be held or not: only the goroutine
// that runs the container and those that hold the mutex ask.
func (c *container) succeeded() bool {
	return c.state.Terminated != nil && c.state.Terminated.ExitCode == 0
}

// change changes the container's state and has it reported.
func (c *container) change(f func()) {
	c.worker.mu.Lock()
	f()
	c.worker.mu.Unlock()
	c.worker.touch()
}

// wait says why the container does not run.
func (c *container) wait(reason, message string) {
	c.change(func() {
		c.ready = false
		if c.state.Terminated != nil {
			c.last = c.state
		}
		c.state = v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: reason, Message: message}}
	})
}

// keep runs the container again and again, until it need not be or the pod is to end. It returns false for the latter.
func (c *container) keep(stop context.Context, again func(code int32) bool) bool {
	delay := time.Duration(0)
	for {
		env, ok := c.prepare(stop)
		if !ok {
			return false
		}
		code := c.once(stop, env)
		if stop.Err() != nil {
			return false
		}
		if !again(code) {
			return true
		}
		if delay > 0 {
			c.crashLoop(stop, delay)
		}
		if !sleep(stop, time.Second/2) {
			return false
		}
		delay = min(max(firstDelay, 2*delay), longestDelay)
	}
}

// crashLoop waits before the container is started again.
func (c *container) crashLoop(stop context.Context, delay time.Duration) {
	pod := c.worker.pod
	name := fmt.Sprintf("%s_%s(%s)", pod.Name, pod.Namespace, pod.UID)
	c.wait("CrashLoopBackOff", fmt.Sprintf("back-off %s restarting failed container=%s pod=%s", delay, c.spec.Name, name))
	c.warn("BackOff", fmt.Sprintf("Back-off restarting failed container %s in pod %s", c.spec.Name, name))
	sleep(stop, delay)
}

// prepare pulls the image and resolves the environment. It returns false if the pod is to end first.
func (c *container) prepare(stop context.Context) (map[string]string, bool) {
	for delay := firstDelay; strings.Contains(c.spec.Image, "missing"); delay = min(2*delay, longestDelay) {
		c.event("Pulling", fmt.Sprintf("Pulling image %q", c.spec.Image))
		if !sleep(stop, time.Second) {
			return nil, false
		}
		message := fmt.Sprintf("failed to pull and unpack image %[1]q: failed to resolve reference %[1]q: %[1]s: not found", c.spec.Image)
		c.warn("Failed", fmt.Sprintf("Failed to pull image %q: rpc error: code = NotFound desc = %s", c.spec.Image, message))
		c.warn("Failed", "Error: ErrImagePull")
		c.wait("ErrImagePull", "rpc error: code = NotFound desc = "+message)
		if !sleep(stop, time.Second) {
			return nil, false
		}
		text := fmt.Sprintf("Back-off pulling image %q", c.spec.Image)
		c.event("BackOff", text)
		c.warn("Failed", "Error: ImagePullBackOff")
		c.wait("ImagePullBackOff", fmt.Sprintf("%s: ErrImagePull: rpc error: code = NotFound desc = %s", text, message))
		if !sleep(stop, delay) {
			return nil, false
		}
	}
	c.pull()
	for {
		env, err := c.worker.environment(c.spec)
		if err == nil {
			return env, stop.Err() == nil
		}
		c.wait("CreateContainerConfigError", err.Error())
		c.warn("Failed", "Error: "+err.Error())
		if !sleep(stop, 3*time.Second) {
			return nil, false
		}
	}
}

// pull says that the image is there.
func (c *container) pull() {
	pulled := c.worker.node.pull(c.spec.Image)
	if pulled && c.spec.ImagePullPolicy != v1.PullAlways {
		c.event("Pulled", fmt.Sprintf("Container image %q already present on machine", c.spec.Image))
		return
	}
	c.event("Pulling", fmt.Sprintf("Pulling image %q", c.spec.Image))
	time.Sleep(100 * time.Millisecond)
	c.event("Pulled", fmt.Sprintf("Successfully pulled image %q in 103ms (103ms including waiting). Image size: 31280115 bytes.", c.spec.Image))
}

// once runs one instance of the container and returns its exit code.
func (c *container) once(stop context.Context, env map[string]string) int32 {
	w := c.worker
	id := digest(fmt.Sprint(w.pod.UID, c.spec.Name, c.starts))
	begun := metav1.Now()
	instance, err := c.start(stop, env, id)
	c.event("Created", "Created container: "+c.spec.Name)
	if err != nil {
		message := "failed to create containerd task: failed to create shim task: OCI runtime create failed: " + err.Error()
		c.warn("Failed", "Error: "+message)
		c.change(func() { c.terminate(begun, 128, "StartError", message, id) })
		return 128
	}
	c.change(func() {
		if c.state.Terminated != nil {
			c.last = c.state
		}
		if c.starts > 0 {
			c.restarts++
		}
		c.starts++
		c.id, c.state = id, v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: begun}}
	})
	c.event("Started", "Started container "+c.spec.Name)
	probing, probed := context.WithCancel(stop)
	go c.probe(probing, env)
	code, reason := instance.wait(stop, c.killing)
	probed()
	w.node.fleet.dropProfile(id)
	c.change(func() { c.terminate(begun, code, reason, "", id) })
	return code
}

// terminate notes how an instance ended. The worker's mutex is held.
func (c *container) terminate(begun metav1.Time, code int32, reason, message, id string) {
	c.ready = false
	c.id = id
	c.state = v1.ContainerState{Terminated: &v1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message,
		StartedAt: begun, FinishedAt: metav1.Now(), ContainerID: "containerd://" + id}}
}

// killing says that the pod's end ends the container.
func (c *container) killing() { c.event("Killing", "Stopping container "+c.spec.Name) }

// probe makes the container ready when it is.
func (c *container) probe(ctx context.Context, env map[string]string) {
	if !c.answers(ctx, env) {
		return
	}
	c.change(func() {
		if ctx.Err() == nil && c.state.Running != nil {
			c.ready = true
		}
	})
}

func (c *container) event(reason, message string) {
	c.worker.record(v1.EventTypeNormal, reason, message, c.spec.Name)
}

func (c *container) warn(reason, message string) {
	c.worker.record(v1.EventTypeWarning, reason, message, c.spec.Name)
}

// logPath is the path of an instance's log.
func (c *container) logPath(instance int) string {
	pod := c.worker.pod
	return filepath.Join(c.worker.node.fleet.options.Logs, fmt.Sprintf("%s_%s_%s", pod.Namespace, pod.Name, pod.UID),
		c.spec.Name, fmt.Sprintf("%d.log", instance))
}

// digest is a name for something, as a runtime would give one.
func digest(of string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(of))) }
