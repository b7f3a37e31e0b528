// Command newsfeed publishes news; Leave takes the subscriber out of the list before its channel is closed.
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

	"example.com/textbook/first/newsfeed-well/desk"
	"example.com/textbook/kit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var sections sectionsBook
	go sections.keep(ctx)
	mux.HandleFunc("/sections", sections.list)
	stories := openStories(4)
	mux.HandleFunc("/stories", func(http.ResponseWriter, *http.Request) { stories.inbox <- 1 })
	mux.HandleFunc("/comments", watchComments)
	for range 3 {
		go followComments(ctx, base+"/comments")
	}

	kit.Start()
	news := desk.New()
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			news.Publish(fmt.Sprint("story ", n))
			time.Sleep(40 * time.Millisecond)
		}
	}()
	go func() {
		for ctx.Err() == nil {
			lines := news.Join()
			for range 10 {
				<-lines
			}
			news.Leave(lines)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
