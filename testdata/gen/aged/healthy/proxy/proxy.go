// Package proxy: a tunnel copies both ways, and both are quiet.
package proxy

import (
	"io"
	"net"
	"net/http"
	"sync"

	"aged/kit"
)

func tunnel(w http.ResponseWriter, r *http.Request) {
	c, _, _ := w.(http.Hijacker).Hijack()
	d, _ := net.Dial("tcp", back)
	var wg sync.WaitGroup
	wg.Add(2)
	go copyTo(c, d, &wg)
	go copyTo(d, c, &wg)
	wg.Wait()
}

func copyTo(a, b net.Conn, wg *sync.WaitGroup) { defer wg.Done(); io.Copy(a, b) }

var back string

// Main runs it.
func Main() {
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	back = l.Addr().String()
	go func() {
		for {
			c, _ := l.Accept()
			kept = append(kept, c)
		}
	}()
	address := kit.API(http.HandlerFunc(tunnel))
	for range 10 {
		go kit.Hold(address, "/")
	}
	kit.Wait()
}

var kept []net.Conn
