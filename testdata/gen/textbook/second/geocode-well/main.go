// Geocode finds coordinates of addresses and asks a provider for those that it doesn't know. The provider often says
// nothing, and the client gives up after three seconds.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/geocode-well/geo"
)

type service struct {
	geo *geo.Client
	mux *http.ServeMux
}

func (s *service) find(w http.ResponseWriter, r *http.Request) {
	p, err := s.geo.Lookup(r.FormValue("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%.4f %.4f\n", p.Lat, p.Lon)
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	provider, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go answer(provider)
	s := &service{geo: geo.NewClient("http://" + provider.Addr().String()), mux: http.NewServeMux()}
	s.mux.HandleFunc("/find", s.find)
	go s.geo.Age(ctx)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: s.mux, IdleTimeout: time.Minute}
	go srv.Serve(ln)
	go maps(ctx, ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// answer is the provider: it knows the first city of each caller, and thinks about all others.
func answer(ln net.Listener) {
	for n := 0; ; n++ {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		if n > 3 {
			time.AfterFunc(10*time.Second, func() { conn.Close() })
			continue
		}
		go func() {
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
				return
			}
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n52.5 13.40")
			conn.Close()
		}()
	}
}

// maps asks for one address after the other.
func maps(ctx context.Context, addr string) {
	c := &http.Client{Timeout: 2 * time.Second}
	for n := 0; ctx.Err() == nil; n++ {
		go func() {
			if res, err := c.Get(fmt.Sprintf("http://%s/find?q=street+%d", addr, n)); err == nil {
				res.Body.Close()
			}
		}()
		time.Sleep(200 * time.Millisecond)
	}
}
