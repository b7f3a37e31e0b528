// Package forward copies bytes between two connections.
package forward

import (
	"io"
	"net"
	"sync"
)

// A Proxy hands each connection on to a backend.
type Proxy struct {
	Backend string
}

// Serve accepts connections until l is closed.
func (p *Proxy) Serve(l net.Listener) {
	for n := 0; ; n++ {
		client, err := l.Accept()
		if err != nil {
			return
		}
		switch n % 3 {
		case 0:
			go p.both(client)
		case 1:
			go p.firstError(client)
		default:
			go p.halfHere(client)
		}
	}
}

// both waits for both directions with a WaitGroup.
func (p *Proxy) both(client net.Conn) {
	server, err := net.Dial("tcp", p.Backend)
	if err != nil {
		client.Close()
		return
	}
	var directions sync.WaitGroup
	directions.Add(2)
	go func() {
		defer directions.Done()
		pipe(server, client)
	}()
	go func() {
		defer directions.Done()
		pipe(client, server)
	}()
	directions.Wait()
}

// firstError waits for the first direction to end, with a channel that has room for both.
func (p *Proxy) firstError(client net.Conn) {
	server, err := net.Dial("tcp", p.Backend)
	if err != nil {
		client.Close()
		return
	}
	errs := make(chan error, 2)
	go func() { errs <- pipe(server, client) }()
	go func() { errs <- pipe(client, server) }()
	<-errs
	client.Close()
	server.Close()
	<-errs
}

// halfHere copies one direction itself, and waits for the other then.
func (p *Proxy) halfHere(client net.Conn) {
	server, err := net.Dial("tcp", p.Backend)
	if err != nil {
		client.Close()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pipe(client, server)
	}()
	pipe(server, client)
	<-done
}

// pipe copies until one side ends, and ends the other. A buffer of its own keeps the kernel from splicing.
func pipe(to, from net.Conn) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 4096))
	to.Close()
	return err
}
