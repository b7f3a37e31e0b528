// Inbox sorts mail of a town hall. Twelve sorters wait for letters, and the poller brings one now and then, also after
// an error.
package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/inbox-well/post"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	office, err := mailServer()
	if err != nil {
		log.Fatal(err)
	}
	letters := make(chan post.Letter)
	poller := &post.Poller{Server: office, Every: 50 * time.Millisecond, Out: letters}
	go func() {
		if err := poller.Run(ctx); err != nil {
			log.Print("poller: ", err)
		}
	}()

	var sorters sync.WaitGroup
	pigeonholes := post.NewHoles()
	for range 12 {
		sorters.Add(1)
		go func() {
			defer sorters.Done()
			s := post.Sorter{Holes: pigeonholes}
			s.Sort(letters)
		}()
	}
	go pigeonholes.Empty(ctx)
	sorters.Wait()
	log.Print("all letters are sorted")
}

// mailServer answers with letters, and with an error now and then.
func mailServer() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	n := 0
	var mu sync.Mutex
	srv := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n%20 == 0 {
			http.Error(w, "maintenance", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "dear mayor")
	})}
	go srv.Serve(ln)
	return "http://" + ln.Addr().String(), nil
}
