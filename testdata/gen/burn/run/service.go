package run

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// choresShare is what a service does beside its fault: one part in six of the guilty work's time is some 14 % of the whole.
const choresShare = 6

// keptBytes are in use in any service for long. With a heap of next to nothing the collector would run all the time, as it does in
// no service.
const keptBytes = 64 << 20

// A Service is a process at work: loops and servers, begun together when the profile begins.
type Service struct {
	ctx    context.Context
	start  []func()
	failed chan error
	ends   []func()
	kept   []byte
	loops  int // goroutines that do chores
}

// share is the part of a loop's time that it spends on chores besides. Where loops are more than CPUs, most of their time is waiting.
func (s *Service) share(d time.Duration) time.Duration {
	const cpus = 2
	if s.loops > cpus {
		d = d * cpus / time.Duration(s.loops)
	}
	return d / choresShare
}

// Go registers a goroutine.
func (s *Service) Go(work func(ctx context.Context)) {
	s.start = append(s.start, func() { go work(s.ctx) })
}

func (s *Service) begin() {
	for _, start := range s.start {
		start()
	}
}

func (s *Service) close() {
	for _, end := range s.ends {
		end()
	}
	s.kept = nil
}

// Fail ends the run with an error.
func (s *Service) Fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// Defer registers what has to be done at the end.
func (s *Service) Defer(end func()) { s.ends = append(s.ends, end) }

// Reconcile registers a controller: workers that take one key after another, and do chores in between.
func (s *Service) Reconcile(workers int, reconcile func(ctx context.Context, key string) error) {
	for i := 0; i < workers; i++ {
		s.loops++
		w := &Worker{service: s, reconcile: reconcile, next: i * 7}
		s.Go(w.Run)
	}
}

// Loop registers a goroutine that calls step again and again, and does chores in between.
func (s *Service) Loop(step func()) {
	s.loops++
	s.Go(func(ctx context.Context) {
		var c Chores
		for ctx.Err() == nil {
			start := time.Now()
			step()
			c.Spend(s.share(time.Since(start)))
		}
	})
}

// A Worker takes keys as a controller's workers do.
type Worker struct {
	service   *Service
	reconcile func(ctx context.Context, key string) error
	next      int
	chores    Chores
}

// Run processes keys until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	for w.processNext(ctx) {
	}
}

func (w *Worker) processNext(ctx context.Context) bool {
	w.next++
	key := fmt.Sprintf("tenant-%d/object-%d", w.next%17, w.next%211)
	start := time.Now()
	if err := w.reconcile(ctx, key); err != nil && ctx.Err() == nil {
		w.service.Fail(fmt.Errorf("reconciling %s: %w", key, err))
		return false
	}
	w.chores.Spend(w.service.share(time.Since(start)))
	return ctx.Err() == nil
}

// Serve registers an HTTP server on 127.0.0.1 and clients that get the paths in turn, and do chores between requests.
func (s *Service) Serve(h http.Handler, clients int, paths ...string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h}
	s.Go(func(context.Context) { server.Serve(l) })
	for i := 0; i < clients; i++ {
		s.loops++
		c := &client{service: s, base: "http://" + l.Addr().String(), paths: paths, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}}
		s.Go(func(ctx context.Context) {
			if err := c.run(ctx); err != nil && ctx.Err() == nil {
				s.Fail(err)
			}
		})
	}
	return nil
}

type client struct {
	service *Service
	base    string
	paths   []string
	http    *http.Client
	chores  Chores
}

func (c *client) run(ctx context.Context) error {
	for i := 0; ctx.Err() == nil; i++ {
		start := time.Now()
		resp, err := c.http.Get(c.base + c.paths[i%len(c.paths)])
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", c.paths[i%len(c.paths)], resp.Status)
		}
		c.chores.Spend(c.service.share(time.Since(start)))
	}
	return nil
}

// Peer starts this program again as the named peer and returns where it listens. It ends with this process.
func (s *Service) Peer(name string) (addr string, err error) {
	cmd := exec.Command(os.Args[0], "peer", name)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s.Defer(func() {
		stdin.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("peer %s: %w", name, err)
	}
	return strings.TrimSpace(line), nil
}
