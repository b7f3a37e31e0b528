// Command render renders papers with a command; the command leaves a child behind that holds its output open,
// so that Wait waits for the copy.
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

	"example.com/textbook/first/render/latex"
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
	var templates templatesBook
	go templates.keep(ctx)
	mux.HandleFunc("/templates", templates.list)
	papers := openPapers(4)
	mux.HandleFunc("/papers", func(http.ResponseWriter, *http.Request) { papers.inbox <- 1 })
	mux.HandleFunc("/proofs", watchProofs)
	for range 3 {
		go followProofs(ctx, base+"/proofs")
	}

	press := latex.New()
	mux.HandleFunc("/render", func(w http.ResponseWriter, r *http.Request) {
		text, err := press.Render(r.FormValue("paper"))
		fmt.Fprintln(w, text, err)
	})
	for i := range 4 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, fmt.Sprint(base, "/render?paper=", i))
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
