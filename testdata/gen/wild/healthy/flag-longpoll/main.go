// Command flag-longpoll hands feature flags to its agents, which ask by long poll: an answer comes when a flag changes or
// after 80 s, and each agent asks again. The agents set the deadline by context, as streaming clients do.
package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"wild/kit"
)

type flags struct{ changed chan struct{} }

// ServeHTTP answers when a flag changes, or with nothing new.
func (f *flags) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-f.changed:
		io.WriteString(w, `{"dark":true}`)
	case <-time.After(80 * time.Second):
		w.WriteHeader(http.StatusNoContent)
	case <-r.Context().Done():
	}
}

type agent struct {
	client *http.Client
	url    string
}

// watch asks again and again.
func (a *agent) watch(ctx context.Context) {
	for ctx.Err() == nil {
		if err := a.poll(ctx); err != nil {
			log.Print(err)
			time.Sleep(time.Second)
		}
	}
}

func (a *agent) poll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url, nil)
	if err != nil {
		return err
	}
	res, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(l, &flags{changed: make(chan struct{})})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for i := 0; i < 45; i++ {
		a := &agent{client: client, url: "http://" + l.Addr().String() + "/flags"}
		go a.watch(ctx)
		time.Sleep(4 * time.Second)
	}
	<-ctx.Done()
}
