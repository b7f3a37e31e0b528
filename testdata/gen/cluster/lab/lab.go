package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"

	"cluster/lab/capture"
	"cluster/lab/kubelet"
	"cluster/lab/plane"
	"cluster/lab/scenes"
)

// nodes is how many nodes the cluster has.
const nodes = 6

// A lab is a cluster and the scenes that are played in it.
type lab struct {
	out, cache      string
	only            *regexp.Regexp
	variant         string
	healthy, faulty bool
	base            int
	dir             string // of the cluster's files: a short neutral path, since logs name it
	servers, triage string

	plane  *plane.Plane
	fleet  *kubelet.Fleet
	client kubernetes.Interface

	mu       sync.Mutex
	programs map[string]string // paths of binaries by program
	outside  []func()          // ends the processes that run without a pod
}

// run starts the cluster, plays all scenes that are wanted, and stops it.
func (l *lab) run(ctx context.Context) error {
	binaries, err := plane.BuildAll(ctx, "..", l.cache)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.open(ctx, binaries); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "the cluster is ready")
	var failed []error
	for _, s := range scenes.All() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !l.wanted(s) {
			continue
		}
		if err := l.play(ctx, s); err != nil {
			fmt.Fprintf(os.Stderr, "%s-%s: %v\n", s.Name, s.Variant, err)
			failed = append(failed, fmt.Errorf("%s-%s: %w", s.Name, s.Variant, err))
		}
	}
	if l.servers != "" {
		failed = append(failed, l.captureServers(ctx))
	}
	return errors.Join(failed...)
}

// open starts the cluster and waits until its nodes are ready. close ends what it started, whether it fails or not.
func (l *lab) open(ctx context.Context, binaries map[string]string) error {
	l.programs = map[string]string{}
	err := errors.Join(os.RemoveAll(l.dir), os.MkdirAll(l.shared(), 0o755))
	if err != nil {
		return err
	}
	l.plane, err = plane.Start(ctx, plane.Options{Dir: l.dir + "/plane", Logs: l.dir + "/pods", Etcd: binaries["etcd"],
		Binary: binaries["controlplane"], Base: l.base, Contention: l.servers != ""})
	if err != nil {
		return err
	}
	if l.client, err = kubernetes.NewForConfig(l.plane.Admins[0]); err != nil {
		return err
	}
	if l.fleet, err = kubelet.Start(ctx, l.kubelets(), nodes); err != nil {
		return err
	}
	return l.settled(ctx)
}

// close ends the nodes and the control plane.
func (l *lab) close() {
	if l.fleet != nil {
		l.fleet.Stop()
	}
	if l.plane != nil {
		l.plane.Stop()
	}
}

func (l *lab) wanted(s scenes.Scene) bool {
	return l.only.MatchString(s.Name) && (l.variant == "" || s.Variant == l.variant) &&
		(!l.healthy || s.Healthy) && (!l.faulty || !s.Healthy)
}

// kubelets are the options of the nodes.
func (l *lab) kubelets() kubelet.Options {
	return kubelet.Options{
		Dir: l.dir + "/kubelet", Logs: l.dir + "/pods", Shared: l.shared(), Port: l.base + plane.PortKubelet, Program: l.program,
		Config: l.plane.Config, Servers: plane.Servers, CPUs: 4, Memory: "8Gi",
		Kubeconfig: func(server int, user string) ([]byte, error) {
			return l.plane.Kubeconfig(server, user, groups(user)...)
		},
		TokenKubeconfig: l.plane.TokenKubeconfig,
		Serving: func(name string) (cert, key, authority []byte, err error) {
			pair, err := l.plane.Authority().Server(name)
			return pair.Cert, pair.Key, l.plane.Authority().PEM, err
		},
	}
}

// shared is a folder that all processes of a scene see.
func (l *lab) shared() string { return filepath.Join(l.dir, "shared") }

// groups are those of a user of the lab.
func groups(user string) []string {
	if strings.HasPrefix(user, "limited-") {
		return nil
	}
	return []string{plane.UserGroup}
}

// settled waits until all nodes are ready and have no taint.
func (l *lab) settled(ctx context.Context) error {
	return l.await(ctx, time.Minute, "ready nodes", func() bool { return l.ready(ctx) == nodes })
}

// await waits until something is so.
func (l *lab) await(ctx context.Context, d time.Duration, what string, so func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, ctx.Err())
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil
}

// program returns the path of a program's binary, which it builds once a run.
func (l *lab) program(ctx context.Context, name string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if path := l.programs[name]; path != "" {
		return path, nil
	}
	built, err := plane.Program(ctx, filepath.Join("programs", name), l.cache)
	if err != nil {
		return "", err
	}
	// It runs from the cluster's folder, since profiles name the path of the program that they are of.
	data, err := os.ReadFile(built)
	if err != nil {
		return "", err
	}
	path := filepath.Join(l.dir, "bin", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o755)); err != nil {
		return "", err
	}
	l.programs[name] = path
	return path, nil
}

// play plays one scene and keeps its captures.
func (l *lab) play(ctx context.Context, s scenes.Scene) error {
	begun := time.Now()
	if err := l.programsReady(ctx); err != nil {
		return err
	}
	keep, err := capture.Start(ctx, capture.Options{
		Admin: l.plane.Admins[0], Audit: l.auditLogs(), Logs: l.dir + "/pods", Level: s.Level,
		Scene: s.Name, Namespaces: s.Namespaces, Profiles: l.fleet.Profiles, Gathered: s.Variant == "b",
	})
	if err != nil {
		return err
	}
	defer func() {
		if err := l.wipe(ctx, s); err != nil {
			fmt.Fprintf(os.Stderr, "%s-%s: wiping: %v\n", s.Name, s.Variant, err)
		}
	}()
	playing, cancel := context.WithCancel(ctx)
	defer cancel() // what the scene does afterwards starts then, and goes on beside the wiping
	if err := l.act(playing, s, keep); err != nil {
		return err
	}
	to := filepath.Join(l.out, s.Name+"-"+s.Variant)
	if err := keep.Finish(ctx, to); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s-%s: %s\n", s.Name, s.Variant, time.Since(begun).Round(time.Second))
	return nil
}

// act runs a scene for its length.
func (l *lab) act(ctx context.Context, s scenes.Scene, keep *capture.Capture) error {
	over := time.After(s.Length)
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, l.cluster(ctx, s, keep)) }()
	select {
	case err := <-done:
		if err != nil {
			return err
		}
	case <-time.After(s.Length + 2*time.Minute):
		return errors.New("it does not come to its end")
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
		return nil
	}
}

func (l *lab) auditLogs() []string {
	var paths []string
	for i := range plane.Servers {
		paths = append(paths, l.plane.AuditLog(i))
	}
	return paths
}

// cluster is what a scene sees.
func (l *lab) cluster(ctx context.Context, s scenes.Scene, keep *capture.Capture) *scenes.Cluster {
	log := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%s-%s: %s\n", s.Name, s.Variant, fmt.Sprintf(format, args...))
	}
	return &scenes.Cluster{
		Config: l.plane.Admins[0], Servers: l.plane.Admins, Nodes: l.fleet, Log: log, As: l.as(ctx),
		Start: func(_ context.Context, name string, args []string, o scenes.ProcessOptions) (func(), error) {
			return l.start(ctx, name, args, o)
		},
		Snapshot: func() {
			if err := keep.Snapshot(ctx); err != nil {
				log("taking a snapshot: %v", err)
			}
		},
	}
}
