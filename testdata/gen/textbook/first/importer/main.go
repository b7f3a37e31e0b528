// Command importer imports files in the background; a file that is not there ends the process by log.Fatal.
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

	"example.com/textbook/first/importer/intake"
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
	vendors := &vendorsCache{}
	go vendors.refresh(ctx)
	mux.Handle("/vendors", vendors)
	batches := make(chan string, 16)
	for range 3 {
		go handleBatches(ctx, batches)
	}
	go countBatches(batches)
	mux.HandleFunc("/batches", func(_ http.ResponseWriter, r *http.Request) { batches <- r.FormValue("name") })
	mux.HandleFunc("/receipts", watchReceipts)
	for range 3 {
		go followReceipts(ctx, base+"/receipts")
	}

	importer := intake.New("/srv/incoming")
	go importer.Poll(ctx)
	mux.HandleFunc("/imported", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, importer.Count()) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
