// Command shards searches shards; only the deferred call is Done.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/first/shards-well/index"
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
	words := &wordsCache{}
	go words.refresh(ctx)
	mux.Handle("/words", words)
	crawls := make(chan string, 16)
	for range 3 {
		go handleCrawls(ctx, crawls)
	}
	go countCrawls(crawls)
	mux.HandleFunc("/crawls", func(_ http.ResponseWriter, r *http.Request) { crawls <- r.FormValue("name") })
	mux.HandleFunc("/queries", watchQueries)
	for range 3 {
		go followQueries(ctx, base+"/queries")
	}

	kit.Start()
	all := index.New(5)
	go func() {
		for ctx.Err() == nil {
			log.Print(all.Search("tide"), " hits")
			time.Sleep(300 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
