package kubelet

import (
	"context"
	"net"
	"sync"
	"time"
)

// A gate is a node's network: shut, it closes all connections and lets nobody connect.
type gate struct {
	mu    sync.Mutex
	lost  bool
	conns map[net.Conn]bool
}

func newGate() *gate { return &gate{conns: map[net.Conn]bool{}} }

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lost = true
	for c := range g.conns {
		c.Close()
	}
	clear(g.conns)
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lost = false
}

// dial is the dialer of the node's clients.
func (g *gate) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost {
		c.Close()
		return nil, &net.OpError{Op: "dial", Net: network, Addr: c.RemoteAddr(), Err: errLost}
	}
	g.conns[c] = true
	return &gated{c, g}, nil
}

// gated is a connection that leaves its gate when it is closed.
type gated struct {
	net.Conn
	gate *gate
}

func (c *gated) Close() error {
	c.gate.mu.Lock()
	delete(c.gate.conns, c.Conn)
	c.gate.mu.Unlock()
	return c.Conn.Close()
}
