// Package balancer: the check of a backend reads an answer without end, under the lock that picks backends.
package balancer

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"aged/kit"
)

type backend struct {
	url     string
	healthy bool
}

type pool struct {
	mu       sync.Mutex
	backends []*backend
	next     int
}

func (p *pool) run() {
	for {
		p.check()
		time.Sleep(10 * time.Second)
	}
}

func (p *pool) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.backends {
		b.healthy = p.probe(b.url)
	}
}

func (p *pool) probe(url string) bool {
	resp, err := http.Get(url)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return err == nil && string(body) == "ok"
}

func (p *pool) pick() *backend {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = (p.next + 1) % len(p.backends)
	return p.backends[p.next]
}

// hangs answers with the beginning of a body.
func hangs(l net.Listener) {
	var all []net.Conn
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
		all = append(all, conn)
	}
}

// Main serves it.
func Main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go hangs(l)
	p := &pool{backends: []*backend{{url: "http://" + l.Addr().String()}}}
	mux := http.NewServeMux()
	mux.HandleFunc("/items", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, p.pick().url) })
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 15*time.Second, "/items")
	go kit.Visit(address, 2*time.Second, "/healthz")
	time.Sleep(20 * time.Second)
	go p.run()
	kit.Wait()
}
