// Package afterfunc: a poll starts the next one and asks under a lock, of a server that never answers.
package afterfunc

import (
	"net"
	"net/http"
	"sync"
	"time"
)

type poller struct {
	mu  sync.Mutex
	url string
	n   int
}

func (p *poller) poll() {
	time.AfterFunc(time.Second, p.poll)
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := http.Get(p.url)
	if err == nil {
		r.Body.Close()
	}
	p.n++
}

// Main polls a server that accepts connections and says nothing.
func Main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		var all []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all = append(all, c)
		}
	}()
	(&poller{url: "http://" + l.Addr().String()}).poll()
}
