// Exports sends reports to customers' servers. Deliver tries again after a pause that doubles, and holds the outbox's
// lock only while it takes a report.
package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/exports-well/outbox"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	sink, err := server()
	if err != nil {
		log.Fatal(err)
	}
	box := outbox.New(sink, 200*time.Millisecond)
	srv, addr, err := api(box)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			box.Deliver()
		}
	}()
	go stats(ctx, box)
	for _, name := range []string{"acme", "globex", "initech"} {
		go customer(ctx, "http://"+addr, name)
	}
	<-ctx.Done()
	srv.Close()
}

func api(box *outbox.Outbox) (*http.Server, string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{customer}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		box.Add(r.PathValue("customer"), body)
	})
	srv := &http.Server{Handler: mux, IdleTimeout: time.Minute}
	go srv.Serve(ln)
	return srv, ln.Addr().String(), nil
}

// server is a customer's. It restarts every few seconds.
func server() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	addr := ln.Addr().String()
	go func() {
		for {
			time.AfterFunc(6*time.Second, func() { ln.Close() })
			for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
				io.Copy(io.Discard, conn)
				conn.Close()
			}
			time.Sleep(2 * time.Second)
			for ln, err = net.Listen("tcp", addr); err != nil; ln, err = net.Listen("tcp", addr) {
				time.Sleep(time.Second)
			}
		}
	}()
	return addr, nil
}

// stats logs how many wait.
func stats(ctx context.Context, box *outbox.Outbox) {
	t := time.NewTicker(2 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			log.Print(box.Len(), " reports wait")
		case <-ctx.Done():
			return
		}
	}
}

func customer(ctx context.Context, base, name string) {
	for ctx.Err() == nil {
		res, err := http.Post(base+"/"+name, "text/csv", strings.NewReader("a;b;c\n"))
		if err == nil {
			res.Body.Close()
		}
		time.Sleep(700 * time.Millisecond)
	}
}
