// Package kubelet plays the nodes of a cluster: registration, leases, admission of pods, containers with their states,
// logs and restarts, and the endpoints that `kubectl logs` and `kubectl port-forward` use. Some containers are real
// processes; package scenes says which.
package kubelet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// Options say what the nodes need.
type Options struct {
	Dir  string // volumes and other files
	Logs string // shaped like /var/log/pods
	// Shared is a folder that all processes see.
	Shared string
	Port   int // the first node's port; the others follow
	// Program returns the path of the binary of programs/NAME.
	Program func(ctx context.Context, name string) (string, error)
	// Config is the configuration of a user at an API server.
	Config func(server int, user string, groups ...string) (*rest.Config, error)
	// Kubeconfig is the file of a user with a certificate, TokenKubeconfig that of a service account with a token file.
	Kubeconfig      func(server int, user string) ([]byte, error)
	TokenKubeconfig func(server int, file string) ([]byte, error)
	// Serving returns a server's certificate and key, and the authority of those who may ask it.
	Serving func(name string) (cert, key, authority []byte, err error)
	Servers int
	CPUs    int // of a node
	Memory  string
}

// A Fleet is the nodes of a cluster.
type Fleet struct {
	options Options
	nodes   map[string]*node

	mu       sync.Mutex
	profiles map[string]Profile // by container ID
}

// A Profile is a process that was given an address for its profiles.
type Profile struct{ Namespace, Pod, Container, Address string }

// Start starts nodes node-1 to node-n.
func Start(ctx context.Context, o Options, n int) (*Fleet, error) {
	f := &Fleet{options: o, nodes: map[string]*node{}, profiles: map[string]Profile{}}
	for i := range n {
		name := fmt.Sprintf("node-%d", i+1)
		node, err := newNode(f, name, i)
		if err != nil {
			return nil, err
		}
		if err := node.start(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.nodes[name] = node
	}
	return f, nil
}

// Lose cuts a node off from the API servers. Its containers go on.
func (f *Fleet) Lose(name string) {
	if n := f.nodes[name]; n != nil {
		n.gate.shut()
	}
}

// Restore connects a node again.
func (f *Fleet) Restore(name string) {
	if n := f.nodes[name]; n != nil {
		n.gate.open()
	}
}

// RestoreAll connects all nodes again.
func (f *Fleet) RestoreAll() {
	for _, n := range f.nodes {
		n.gate.open()
	}
}

// Stop ends all processes of containers.
func (f *Fleet) Stop() {
	var wg sync.WaitGroup
	for _, n := range f.nodes {
		wg.Go(n.killAll)
	}
	wg.Wait()
}

// Profiles are the running processes that may serve profiles.
func (f *Fleet) Profiles() []Profile {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Profile
	for _, p := range f.profiles {
		all = append(all, p)
	}
	return all
}

func (f *Fleet) addProfile(id string, p Profile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.profiles[id] = p
}

func (f *Fleet) dropProfile(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.profiles, id)
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

var errLost = errors.New("network is unreachable")
