// Package longpoll: requests are passed on to who answers when there is news; there is none.
package longpoll

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"aged/kit"
)

type relay struct {
	client *http.Client
	to     string
}

func (r *relay) poll(ctx context.Context, tenant string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.to+"/changes/"+tenant, nil)
	if err != nil {
		return nil, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	data, err := r.poll(req.Context(), "t")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write(data)
}

// follow asks for itself.
func (r *relay) follow(tenant string) {
	for {
		if _, err := r.poll(context.Background(), tenant); err != nil {
			time.Sleep(time.Second)
		}
	}
}

// Main runs it.
func Main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			kept = append(kept, c)
		}
	}()
	r := &relay{&http.Client{Transport: &http.Transport{MaxConnsPerHost: 64}}, l.Addr().String()}
	for _, tenant := range []string{"a", "b", "c"} {
		go r.follow(tenant)
	}
	address := kit.API(r)
	for range 10 {
		go kit.Hold(address, "/")
	}
	kit.Wait()
}

var kept []net.Conn
