// Command progress shows the progress of tasks; each request starts a loop with a ticker that nobody ends.
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

	"example.com/textbook/first/progress/meter"
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
	var tasks tasksBook
	go tasks.keep(ctx)
	mux.HandleFunc("/tasks", tasks.list)
	builds := make(chan string, 16)
	for range 3 {
		go handleBuilds(ctx, builds)
	}
	go countBuilds(builds)
	mux.HandleFunc("/builds", func(_ http.ResponseWriter, r *http.Request) { builds <- r.FormValue("name") })
	mux.HandleFunc("/logs", watchLogs)
	for range 3 {
		go followLogs(ctx, base+"/logs")
	}

	mux.HandleFunc("/progress", func(w http.ResponseWriter, r *http.Request) {
		m := meter.Track(time.Second)
		time.Sleep(100 * time.Millisecond)
		fmt.Fprintln(w, m.Percent())
	})
	for range 2 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/progress")
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
