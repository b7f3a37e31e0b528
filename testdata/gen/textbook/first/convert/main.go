// Command convert converts videos in four slots of a channel; a video with a broken header returns without
// giving its slot back.
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

	"example.com/textbook/first/convert/media"
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
	formats := &formatsCache{}
	go formats.refresh(ctx)
	mux.Handle("/formats", formats)
	uploads := make(chan string, 16)
	for range 3 {
		go handleUploads(ctx, uploads)
	}
	go countUploads(uploads)
	mux.HandleFunc("/uploads", func(_ http.ResponseWriter, r *http.Request) { uploads <- r.FormValue("name") })
	mux.HandleFunc("/jobs", watchJobs)
	for range 3 {
		go followJobs(ctx, base+"/jobs")
	}

	converter := media.New(4)
	mux.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		if err := converter.Convert(r.FormValue("video")); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	for i := range 16 {
		go func() {
			for n := i; ctx.Err() == nil; n++ {
				get(ctx, fmt.Sprint(base, "/convert?video=", n%9))
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
