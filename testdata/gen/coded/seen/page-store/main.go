// Page-store has one writer at a time: begin locks, and commit, of whoever has the transaction, unlocks.
package main

import (
	"bufio"
	"net"
	"sync"
	"time"

	"coded/kit"
)

type store struct {
	writer sync.Mutex
	pages  int
}

type tx struct{ s *store }

func (s *store) update(f func(*tx)) {
	t := s.begin(true)
	f(t)
	t.commit()
}

func (s *store) begin(writable bool) *tx {
	if writable {
		return s.beginWrite()
	}
	return &tx{}
}

func (s *store) beginWrite() *tx {
	s.writer.Lock()
	return &tx{s}
}

func (t *tx) commit() {
	t.s.pages++
	t.s.writer.Unlock()
}

// serve reads what a client says about its transaction, until it says nothing any more.
func serve(c net.Conn, t *tx) {
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		t.s.pages++
	}
	t.commit()
}

func main() {
	kit.Serve()
	s := &store{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			time.AfterFunc(205*time.Second, func() { c.Close() })
		}
	}()
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	go serve(c, s.begin(true))
	s.update(func(t *tx) { t.s.pages = 0 })
}
