// Command catalog searches books; Search holds one RLock, and the writer comes between two searches.
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

	"example.com/textbook/first/catalog-well/shelf"
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
	var authors authorsBook
	go authors.keep(ctx)
	mux.HandleFunc("/authors", authors.list)
	loans := make(chan string, 16)
	for range 3 {
		go handleLoans(ctx, loans)
	}
	go countLoans(loans)
	mux.HandleFunc("/loans", func(_ http.ResponseWriter, r *http.Request) { loans <- r.FormValue("name") })
	mux.HandleFunc("/returns", watchReturns)
	for range 3 {
		go followReturns(ctx, base+"/returns")
	}

	catalog := shelf.New(300)
	mux.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, catalog.Search(r.FormValue("q")))
	})
	for range 6 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/search?q=7")
			}
		}()
	}
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			catalog.Add(fmt.Sprint("new book ", n))
			time.Sleep(300 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
