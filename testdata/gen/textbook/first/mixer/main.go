// Command mixer mixes tracks; the loop selects with a default that does nothing.
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

	"example.com/textbook/first/mixer/studio"
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
	voices := &voicesCache{}
	go voices.refresh(ctx)
	mux.Handle("/voices", voices)
	tracks := make(chan string, 16)
	for range 3 {
		go handleTracks(ctx, tracks)
	}
	go countTracks(tracks)
	mux.HandleFunc("/tracks", func(_ http.ResponseWriter, r *http.Request) { tracks <- r.FormValue("name") })
	mux.HandleFunc("/meters", watchMeters)
	for range 3 {
		go followMeters(ctx, base+"/meters")
	}

	mixer := studio.New()
	go mixer.Run(ctx)
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			mixer.Left <- make([]int16, 4096)
			mixer.Right <- make([]int16, 4096)
		}
	}()
	mux.HandleFunc("/peak", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, mixer.Peak()) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
