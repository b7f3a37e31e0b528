// Command invoices bills customers; a customer without an address returns before Done, and the month never
// ends.
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

	"example.com/textbook/first/invoices/billing"
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
	var customers customersBook
	go customers.keep(ctx)
	mux.HandleFunc("/customers", customers.list)
	payments := make(chan string, 16)
	for range 3 {
		go handlePayments(ctx, payments)
	}
	go countPayments(payments)
	mux.HandleFunc("/payments", func(_ http.ResponseWriter, r *http.Request) { payments <- r.FormValue("name") })
	mux.HandleFunc("/mails", watchMails)
	for range 3 {
		go followMails(ctx, base+"/mails")
	}

	run := billing.New([]string{"Elm Street 1", "", "Oak Street 5", "Ash Street 9"})
	go func() {
		for month := 1; ctx.Err() == nil; month++ {
			log.Print("month ", month, ": ", run.Month())
		}
	}()
	mux.HandleFunc("/bills", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, run.Sent()) })
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/bills")
			time.Sleep(time.Second)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
