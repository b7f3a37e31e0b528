// Command prefetch loads a feed ahead for each request under a context that nobody cancels, and waits for it.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/first/prefetch/feed"
	"example.com/textbook/kit"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var channels channelsBook
	go channels.keep(ctx)
	mux.HandleFunc("/channels", channels.list)
	images := openImages(4)
	mux.HandleFunc("/images", func(http.ResponseWriter, *http.Request) { images.inbox <- 1 })
	mux.HandleFunc("/views", watchViews)
	for range 3 {
		go followViews(ctx, base+"/views")
	}

	loader := feed.New()
	mux.HandleFunc("/feed", func(w http.ResponseWriter, r *http.Request) {
		loader.Prefetch(context.WithoutCancel(r.Context()))
		fmt.Fprintln(w, loader.Pages())
	})
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/feed")
			time.Sleep(80 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
