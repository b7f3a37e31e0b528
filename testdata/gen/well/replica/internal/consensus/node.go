// Package consensus is a much simplified log that nodes agree on: node 0 always leads, and an entry is applied when one
// follower has it. What matters here are its goroutines, which are those of the real ones.
package consensus

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// A Node is one member.
type Node struct {
	id        int
	proposals chan proposal
	inbox     chan message
	ready     chan []message
	applied   chan []string
	peers     []*peer

	mu      sync.Mutex
	waiting map[int]chan struct{} // by index of the entry
}

type proposal struct {
	text string
	done chan struct{}
}

// Start starts n nodes that are connected to each other over TCP.
func Start(ctx context.Context, n int) ([]*Node, error) {
	var nodes []*Node
	var addrs []string
	for i := 0; i < n; i++ {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("listening as node %d: %w", i, err)
		}
		node := &Node{
			id: i, proposals: make(chan proposal), inbox: make(chan message, 64), ready: make(chan []message),
			applied: make(chan []string, 8), waiting: map[int]chan struct{}{},
		}
		go node.accept(l)
		nodes, addrs = append(nodes, node), append(addrs, l.Addr().String())
	}
	for i, node := range nodes {
		for j, addr := range addrs {
			if i == j {
				continue
			}
			p, err := dial(i, j, addr)
			if err != nil {
				return nil, err
			}
			node.peers = append(node.peers, p)
		}
		go node.run(ctx)
		go node.send(ctx)
	}
	return nodes, nil
}

// Propose returns when the entry is applied.
func (n *Node) Propose(ctx context.Context, text string) error {
	done := make(chan struct{})
	select {
	case n.proposals <- proposal{text, done}:
	case <-ctx.Done():
		return fmt.Errorf("proposing: %w", ctx.Err())
	}
	<-done
	return nil
}

// Applied are the entries that were agreed on.
func (n *Node) Applied() <-chan []string { return n.applied }

// run is the node's only goroutine that changes its log.
func (n *Node) run(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var log []string
	for {
		var out []message
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			out = append(out, message{From: n.id, Kind: "heartbeat"})
		case p := <-n.proposals:
			log = append(log, p.text)
			n.mu.Lock()
			n.waiting[len(log)] = p.done
			n.mu.Unlock()
			out = append(out, message{From: n.id, Kind: "append", Index: len(log), Text: p.text})
		case m := <-n.inbox:
			if reply, ok := n.step(m); ok {
				out = append(out, reply)
			}
		}
		if len(out) > 0 {
			n.ready <- out
		}
	}
}

// step takes one message, and tells whether there is an answer.
func (n *Node) step(m message) (message, bool) {
	switch m.Kind {
	case "append":
		n.applied <- []string{m.Text}
		return message{From: n.id, To: m.From, Kind: "ack", Index: m.Index}, true
	case "ack":
		n.mu.Lock()
		defer n.mu.Unlock()
		if done, ok := n.waiting[m.Index]; ok {
			close(done)
			delete(n.waiting, m.Index)
		}
	}
	return message{}, false
}

// send hands messages to the peers they are for; a peer that is too slow misses heartbeats.
func (n *Node) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case messages := <-n.ready:
			for _, m := range messages {
				for _, p := range n.peers {
					if m.Kind != "ack" || m.To == p.id {
						p.offer(m)
					}
				}
			}
		}
	}
}
