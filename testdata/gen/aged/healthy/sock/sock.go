// Package sock: a handler waits until the pumps of its connection have ended.
package sock

import (
	"io"
	"net"
	"net/http"

	"aged/kit"
)

type peer struct {
	conn net.Conn
	out  chan string
	done chan struct{}
}

func (p *peer) reads() { defer close(p.done); io.Copy(io.Discard, p.conn) }
func (p *peer) writes() {
	for s := range p.out {
		p.conn.Write([]byte(s))
	}
}

func (p *peer) finish() { <-p.done }
func open(w http.ResponseWriter, r *http.Request) {
	a, _ := net.Pipe()
	_ = a
	c, _, _ := w.(http.Hijacker).Hijack()
	p := &peer{c, make(chan string), make(chan struct{})}
	go p.reads()
	go p.writes()
	p.finish()
}

// Main runs it.
func Main() {
	address := kit.API(http.HandlerFunc(open))
	for range 10 {
		go kit.Hold(address, "/")
	}
	kit.Wait()
}
