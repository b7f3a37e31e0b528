// Command remittance transfers money; a transfer locks its own account and then the other, and two customers
// pay each other.
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

	"example.com/textbook/first/remittance/accounts"
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
	var rates ratesBook
	go rates.keep(ctx)
	mux.HandleFunc("/rates", rates.list)
	statements := make(chan string, 16)
	for range 3 {
		go handleStatements(ctx, statements)
	}
	go countStatements(statements)
	mux.HandleFunc("/statements", func(_ http.ResponseWriter, r *http.Request) { statements <- r.FormValue("name") })
	mux.HandleFunc("/notices", watchNotices)
	for range 3 {
		go followNotices(ctx, base+"/notices")
	}

	bank := accounts.Open("ann", "bob", "cid")
	mux.HandleFunc("/pay", func(w http.ResponseWriter, r *http.Request) {
		if err := bank.Settle(r.FormValue("from"), r.FormValue("to"), 5); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	for i := range 12 {
		from, to := "ann", "bob"
		if i%2 == 0 {
			from, to = to, from
		}
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/pay?from="+from+"&to="+to)
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
