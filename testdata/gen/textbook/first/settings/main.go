// Command settings loads settings in a Once; a value that is missing asks Get for its default, which waits
// for the same Once.
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

	"example.com/textbook/first/settings/conf"
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
	var regions regionsBook
	go regions.keep(ctx)
	mux.HandleFunc("/regions", regions.list)
	jobs := openJobs(4)
	mux.HandleFunc("/jobs", func(http.ResponseWriter, *http.Request) { jobs.inbox <- 1 })
	mux.HandleFunc("/notes", watchNotes)
	for range 3 {
		go followNotes(ctx, base+"/notes")
	}

	mux.HandleFunc("/setting", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, settings.Get(r.FormValue("name")))
	})
	for range 5 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/setting?name=port")
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}

var settings conf.Settings
