// Command sitemap crawls a site with errgroup, three pages at a time; links are started when the pages of
// their level are done.
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

	"example.com/textbook/first/sitemap-well/site"
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
	robots := &robotsCache{}
	go robots.refresh(ctx)
	mux.Handle("/robots", robots)
	links := openLinks(4)
	mux.HandleFunc("/links", func(http.ResponseWriter, *http.Request) { links.inbox <- 1 })
	mux.HandleFunc("/reports", watchReports)
	for range 3 {
		go followReports(ctx, base+"/reports")
	}

	crawler := &site.Crawler{Limit: 3, Depth: 4}
	go func() {
		for ctx.Err() == nil {
			log.Print(crawler.Crawl(ctx, "/"))
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
