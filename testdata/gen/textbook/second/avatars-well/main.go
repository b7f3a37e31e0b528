// Avatars draws pictures of users. Its cache is keyed by user and keeps 2000 pictures at most, which is most of the heap.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/avatars-well/face"
)

type handler struct{ cache *face.Cache }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pic, ok := h.cache.Get(r.URL.Path)
	if !ok {
		pic = face.Draw(r.URL.Path, 96)
		h.cache.Put(r.URL.Path, pic)
	}
	w.Header().Set("Content-Type", "image/x-portable-graymap")
	w.Write(pic)
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	h := &handler{cache: face.NewCache()}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Second, MaxHeaderBytes: 1 << 14}
	go srv.Serve(ln)
	for n := range 3 {
		go browse(ctx, "http://"+ln.Addr().String(), n)
	}
	go stats(ctx, h.cache)
	<-ctx.Done()
	srv.Close()
}

// browse looks at faces. The page adds a random number against old pictures.
func browse(ctx context.Context, base string, n int) {
	for i := n; ctx.Err() == nil; i += 3 {
		url := fmt.Sprintf("%s/u/%d.pgm?nocache=%d", base, i%5000, time.Now().UnixNano())
		if res, err := http.Get(url); err == nil {
			res.Body.Close()
		}
		time.Sleep(60 * time.Millisecond)
	}
}

func stats(ctx context.Context, c *face.Cache) {
	t := time.NewTicker(10 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			log.Print(c.Len(), " faces")
		case <-ctx.Done():
			return
		}
	}
}
