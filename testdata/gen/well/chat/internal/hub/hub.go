// Package hub hands what a member of a room says to all its members.
package hub

import (
	"bufio"
	"net"
	"strings"
	"sync"
)

// A Hub knows who is in which room.
type Hub struct {
	mu    sync.RWMutex
	rooms map[string]map[*member]bool
}

// New returns a Hub without rooms.
func New() *Hub { return &Hub{rooms: map[string]map[*member]bool{}} }

// Serve accepts members until l is closed.
func (h *Hub) Serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go h.welcome(conn)
	}
}

// A member is one connection. Lines for it wait in out.
type member struct {
	conn net.Conn
	room string
	out  chan string
}

// welcome reads which room the member wants and leaves it to two goroutines.
func (h *Hub) welcome(conn net.Conn) {
	in := bufio.NewReader(conn)
	room, err := in.ReadString('\n')
	if err != nil {
		conn.Close()
		return
	}
	m := &member{conn: conn, room: strings.TrimSpace(room), out: make(chan string, 16)}
	h.join(m)
	go m.writeLoop()
	go h.readLoop(m, in)
}

func (h *Hub) readLoop(m *member, in *bufio.Reader) {
	defer h.leave(m)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		h.say(m.room, line)
	}
}

func (m *member) writeLoop() {
	defer m.conn.Close()
	for line := range m.out {
		if _, err := m.conn.Write([]byte(line)); err != nil {
			return
		}
	}
}

func (h *Hub) join(m *member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[m.room] == nil {
		h.rooms[m.room] = map[*member]bool{}
	}
	h.rooms[m.room][m] = true
}

func (h *Hub) leave(m *member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rooms[m.room], m)
	close(m.out)
}

// say hands a line to all in a room; who is too slow misses it.
func (h *Hub) say(room, line string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for m := range h.rooms[room] {
		select {
		case m.out <- line:
		default:
		}
	}
}
