// Command geocode finds places; each request makes a Transport of its own, whose idle connection stays.
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

	"example.com/textbook/first/geocode/places"
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
	cities := &citiesCache{}
	go cities.refresh(ctx)
	mux.Handle("/cities", cities)
	maps := make(chan string, 16)
	for range 3 {
		go handleMaps(ctx, maps)
	}
	go countMaps(maps)
	mux.HandleFunc("/maps", func(_ http.ResponseWriter, r *http.Request) { maps <- r.FormValue("name") })
	mux.HandleFunc("/visits", watchVisits)
	for range 3 {
		go followVisits(ctx, base+"/visits")
	}

	register := http.NewServeMux()
	register.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, 59, 10) })
	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(upstream, register)
	client := places.New("http://" + upstream.Addr().String())
	mux.HandleFunc("/locate", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, client.Locate(r.Context(), r.FormValue("city")))
	})
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/locate?city=Oslo")
			time.Sleep(200 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
