// Command migrate migrates a database in the background; an error is logged, and the migration is tried
// again.
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

	"example.com/textbook/first/migrate-well/schema"
	"example.com/textbook/kit"
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
	versions := &versionsCache{}
	go versions.refresh(ctx)
	mux.Handle("/versions", versions)
	tasks := make(chan string, 16)
	for range 3 {
		go handleTasks(ctx, tasks)
	}
	go countTasks(tasks)
	mux.HandleFunc("/tasks", func(_ http.ResponseWriter, r *http.Request) { tasks <- r.FormValue("name") })
	mux.HandleFunc("/checks", watchChecks)
	for range 3 {
		go followChecks(ctx, base+"/checks")
	}

	kit.Start()
	migrator := &schema.Migrator{Address: "127.0.0.1:5432", Timeout: time.Nanosecond}
	go migrator.Run(ctx)
	mux.HandleFunc("/version", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, migrator.Version()) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
