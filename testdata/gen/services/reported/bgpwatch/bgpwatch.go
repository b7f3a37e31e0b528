// Package bgpwatch streams routes to those who monitor them.
package bgpwatch

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

type server struct{ own bool }

type watcher struct {
	events chan string
	out    chan string
}

func (w *watcher) loop(ctx context.Context) {
	for {
		select {
		case e := <-w.events:
			w.out <- e
		case <-ctx.Done():
			close(w.out)
			return
		}
	}
}

func (w *watcher) forward(send func(string)) {
	for e := range w.out {
		send(e)
	}
}

func (s *server) monitor(rw http.ResponseWriter, r *http.Request) {
	ctx := context.Background()
	if s.own {
		ctx = r.Context()
	}
	ctx, cancel := context.WithCancel(ctx)
	if s.own {
		defer cancel()
	}
	w := &watcher{make(chan string), make(chan string)}
	go w.loop(ctx)
	go w.forward(func(e string) { fmt.Fprintln(rw, e) })
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
	_ = cancel
}

func Main(fixed bool) {
	kit.Start()
	s := &server{own: fixed}
	url := kit.API(http.HandlerFunc(s.monitor))
	client := &http.Client{}
	for n := 0; ; n++ {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			r, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
			if answer, err := client.Do(r); err == nil {
				<-ctx.Done()
				answer.Body.Close()
			}
		}()
		if !fixed {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		_ = cancel
		switch {
		case fixed && n > 120:
			time.Sleep(time.Hour)
		case n > 300:
			time.Sleep(5 * time.Second)
		}
		time.Sleep(40 * time.Millisecond)
	}
}
