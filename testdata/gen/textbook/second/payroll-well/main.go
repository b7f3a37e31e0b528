// Payroll shows the latest wage of a worker, from a slow database with a small pool. Latest closes its rows, and
// requests wait in turn.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/internal/flatsql"
	"example.com/textbook/second/payroll-well/wages"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	db := sql.OpenDB(&flatsql.Table{Rows: []string{"2100", "2050", "1990"}, Pause: 300 * time.Millisecond})
	db.SetMaxOpenConns(2)
	db.SetConnMaxLifetime(5 * time.Minute)
	book := wages.Book{DB: db}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /workers/{id}/wage", func(w http.ResponseWriter, r *http.Request) {
		cents, err := book.Latest(r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		fmt.Fprintln(w, cents)
	})
	mux.HandleFunc("GET /holidays", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "25 December") })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 2 * time.Second}
	go srv.Serve(ln)

	raises := make(chan string, 5)
	go book.Raise(raises)
	go union(ctx, raises)
	go terminals(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// union asks for a raise now and then.
func union(ctx context.Context, raises chan<- string) {
	t := time.NewTicker(3 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			select {
			case raises <- "all":
			default:
			}
		case <-ctx.Done():
			close(raises)
			return
		}
	}
}

// terminals are where workers look.
func terminals(ctx context.Context, base string) {
	c := http.Client{Timeout: time.Second}
	for n := 0; ctx.Err() == nil; n++ {
		go func() {
			if res, err := c.Get(fmt.Sprintf("%s/workers/%d/wage", base, n%80)); err == nil {
				res.Body.Close()
			}
		}()
		time.Sleep(250 * time.Millisecond)
	}
}
