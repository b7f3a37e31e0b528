// Command thumbnails renders thumbnails; Render waits for its workers with the lock that they need to add a
// picture.
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

	"example.com/textbook/first/thumbnails/album"
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
	var cameras camerasBook
	go cameras.keep(ctx)
	mux.HandleFunc("/cameras", cameras.list)
	uploads := openUploads(4)
	mux.HandleFunc("/uploads", func(http.ResponseWriter, *http.Request) { uploads.inbox <- 1 })
	mux.HandleFunc("/likes", watchLikes)
	for range 3 {
		go followLikes(ctx, base+"/likes")
	}

	pictures := album.New()
	mux.HandleFunc("/render", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, pictures.Render(6)) })
	mux.HandleFunc("/count", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, pictures.Count()) })
	for _, path := range []string{"/render", "/count", "/count"} {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+path)
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
