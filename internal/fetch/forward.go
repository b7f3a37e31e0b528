package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// forwardStart is how long kubectl may take until it listens: enough for a slow API server, not for a login.
const forwardStart = 30 * time.Second

// tunnelGrace is how long a tunnel has to end after a connection through it broke.
const tunnelGrace = 2 * time.Second

// A forwardSource asks through kubectl port-forward, which it starts, and starts once more if it dies.
type forwardSource struct {
	r   *run
	pod pod

	mu        sync.Mutex
	now       *tunnel
	restarted bool
}

// A tunnel is one running kubectl port-forward.
type tunnel struct {
	src  source
	stop context.CancelFunc
	done chan struct{} // closed when it has ended
	err  error         // why, once done is closed
}

func (f *forwardSource) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now != nil {
		f.now.end()
		f.now = nil
	}
}

func (t *tunnel) end() {
	t.stop()
	<-t.done
	t.src.close()
}

func (t *tunnel) dead() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// tunnel returns the running tunnel, a new one where there is none yet or where the first one died.
func (f *forwardSource) tunnel(ctx context.Context) (*tunnel, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now != nil {
		if !f.now.dead() {
			return f.now, nil
		}
		if f.restarted {
			return nil, fmt.Errorf("kubectl port-forward ended again: %w", f.now.err)
		}
		f.restarted = true
		f.r.note(f.pod.title(), fmt.Sprintf("kubectl port-forward ended (%v) and was restarted", f.now.err))
		f.now.end()
	}
	t, err := f.start(ctx)
	if err != nil {
		return nil, err
	}
	f.now = t
	return t, nil
}

// start runs kubectl until it prints its local port. The process outlives ctx, one request's; close ends it.
func (f *forwardSource) start(ctx context.Context) (*tunnel, error) {
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	args := []string{"port-forward", "pod/" + f.pod.Name, ":" + strconv.Itoa(f.pod.Port), "--address=127.0.0.1"}
	cmd := f.r.kubectl.command(life, append(args, namespaceFlag(f.pod.Namespace)...)...)
	out, w := io.Pipe()
	errs := &tail{}
	cmd.Stdout, cmd.Stderr = w, errs
	if err := cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("starting kubectl port-forward: %w", err)
	}
	t := &tunnel{stop: stop, done: make(chan struct{})}
	ports := make(chan string, 1)
	go findPort(out, ports)
	go func() {
		defer close(t.done)
		err := cmd.Wait()
		_ = w.Close()
		t.err = &kubectlError{"port-forward", errs.last(), err}
	}()
	late := time.NewTimer(forwardStart)
	defer late.Stop()
	var err error
	select {
	case port := <-ports:
		t.src, err = f.open("127.0.0.1:" + port)
	case <-t.done:
		err = t.err
	case <-late.C:
		err = fmt.Errorf("kubectl port-forward names no port: %w (%s)", errSilent, forwardStart)
	case <-ctx.Done():
		err = cause(ctx, ctx.Err())
	}
	if err != nil {
		stop()
		<-t.done
		return nil, err
	}
	return t, nil
}

// open returns a source that asks the forwarded port.
func (f *forwardSource) open(host string) (source, error) {
	o, scheme := f.r.o, "http"
	if o.Cluster.HTTPS {
		scheme = "https"
	}
	base := &url.URL{Scheme: scheme, Host: host, Path: o.Target.base.Path}
	return newHTTPSource(Target{base: base, direct: true}, o.Access, o.Limits, o.Version)
}

func (f *forwardSource) get(ctx context.Context, it item, header time.Duration, to *sink) error {
	for {
		t, err := f.tunnel(ctx)
		if err != nil {
			return err
		}
		err = t.src.get(ctx, it, header, to)
		if err == nil || ctx.Err() != nil || fromProcess(err) || !t.broke(ctx) {
			return err
		}
		f.mu.Lock()
		again := f.restarted
		f.mu.Unlock()
		if again {
			return fmt.Errorf("%w (%v)", err, t.err)
		}
		if err := to.reset(); err != nil {
			return fmt.Errorf("starting the file again: %w", err)
		}
	}
}

func (t *tunnel) broke(ctx context.Context) bool {
	wait := time.NewTimer(tunnelGrace)
	defer wait.Stop()
	select {
	case <-t.done:
		return true
	case <-wait.C:
	case <-ctx.Done():
	}
	return false
}

// maxForwardLine bounds what is kept of a line without an end.
const maxForwardLine = 4 << 10

// findPort reads kubectl's output to its end and sends the port of the first "Forwarding from 127.0.0.1:41234 -> 6060".
func findPort(out io.Reader, first chan<- string) {
	r := bufio.NewReaderSize(out, maxForwardLine)
	for {
		line, err := r.ReadSlice('\n')
		if port, ok := forwardedPort(string(line)); ok {
			select {
			case first <- port:
			default:
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

func forwardedPort(line string) (string, bool) {
	_, rest, found := strings.Cut(line, "Forwarding from 127.0.0.1:")
	if !found {
		return "", false
	}
	port, _, found := strings.Cut(rest, " -> ")
	return port, found && isPort(port)
}

// A proxySource asks through the API server: kubectl get --raw …/pods/NAME:PORT/proxy/….
type proxySource struct {
	r   *run
	pod pod
}

func (s *proxySource) close() {}

func (s *proxySource) get(ctx context.Context, it item, header time.Duration, to *sink) error {
	o, scheme := s.r.o, ""
	if o.Cluster.HTTPS {
		scheme = "https:"
	}
	raw := fmt.Sprintf("--raw=/api/v1/namespaces/%s/pods/%s%s:%d/proxy%s/%s",
		s.pod.Namespace, scheme, s.pod.Name, s.pod.Port, o.Target.base.Path, it.uri())
	limits := o.Limits
	limits.Header = header
	err := s.r.kubectl.stream(ctx, limits, it.lasts, to, "get", raw)
	// kubectl prints the reason of an API error in brackets, or else repeats the answer of the process.
	if isKubectlError(err, "(NotFound)") && !isKubectlError(err, `pods "`) {
		return &statusError{code: http.StatusNotFound}
	}
	return err
}
