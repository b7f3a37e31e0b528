// Feeds collects news of several sites. Poll looks at the status of an answer and at one header, and never closes its
// body, so each answer keeps a connection.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/feeds/feed"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	site, err := listen(http.HandlerFunc(news))
	if err != nil {
		log.Fatal(err)
	}
	f := feed.NewFetcher(30 * time.Second)
	go f.Prune(ctx)
	front, err := listen(f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(os.Stderr, "listening on", front)
	for _, section := range []string{"world", "sports", "science", "local"} {
		go func() {
			for ctx.Err() == nil {
				if err := f.Poll(site + "/" + section); err != nil {
					log.Print(err)
				}
				time.Sleep(700 * time.Millisecond)
			}
		}()
	}
	reader(ctx, front)
}

// listen serves h on a port of its own and returns the address.
func listen(h http.Handler) (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(ln, h)
	return "http://" + ln.Addr().String(), nil
}

// news is what a site says.
func news(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	for range 4 {
		io.WriteString(w, strings.Repeat("<item>"+r.URL.Path+"</item>\n", 60))
	}
}

// reader reads the list until ctx ends.
func reader(ctx context.Context, url string) {
	for t := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
		if res, err := http.Get(url); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}
}
