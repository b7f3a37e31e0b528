// Command exports exports sheets; the channel of rows is closed behind the last row.
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

	"example.com/textbook/first/exports-well/sheet"
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
	tables := &tablesCache{}
	go tables.refresh(ctx)
	mux.Handle("/tables", tables)
	charts := make(chan string, 16)
	for range 3 {
		go handleCharts(ctx, charts)
	}
	go countCharts(charts)
	mux.HandleFunc("/charts", func(_ http.ResponseWriter, r *http.Request) { charts <- r.FormValue("name") })
	mux.HandleFunc("/filters", watchFilters)
	for range 3 {
		go followFilters(ctx, base+"/filters")
	}

	mux.HandleFunc("/export", func(w http.ResponseWriter, r *http.Request) {
		e := sheet.Start(20)
		fmt.Fprintln(w, e.Name())
	})
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/export")
			time.Sleep(150 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
