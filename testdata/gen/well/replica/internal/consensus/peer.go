package consensus

import (
	"encoding/gob"
	"fmt"
	"net"
)

// A message goes from one node to another.
type message struct {
	From, To, Index int
	Kind, Text      string
}

// A peer is the way to another node: a goroutine writes what is in its queue.
type peer struct {
	id    int
	conn  net.Conn
	queue chan message
}

func dial(from, to int, addr string) (*peer, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("connecting node %d to node %d: %w", from, to, err)
	}
	p := &peer{id: to, conn: conn, queue: make(chan message, 32)}
	go p.write()
	return p, nil
}

func (p *peer) offer(m message) {
	if m.Kind == "heartbeat" {
		select {
		case p.queue <- m:
		default:
		}
		return
	}
	p.queue <- m
}

func (p *peer) write() {
	enc := gob.NewEncoder(p.conn)
	for m := range p.queue {
		if err := enc.Encode(m); err != nil {
			return
		}
	}
}

func (n *Node) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go n.read(conn)
	}
}

func (n *Node) read(conn net.Conn) {
	defer conn.Close()
	for dec := gob.NewDecoder(conn); ; {
		var m message
		if err := dec.Decode(&m); err != nil {
			return
		}
		n.inbox <- m
	}
}
