// Package kit is what every service has besides its work: a pprof port, an API port, a logger of its own and clients.
package kit

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// Start opens the pprof port of SERVICE_ADDR and starts what lives beside the work of a service. With SERVICE_GC set
// it collects garbage once: from then on dumps show how long goroutines have waited.
func Start() {
	if os.Getenv("SERVICE_GC") != "" {
		runtime.GC()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	listener, err := net.Listen("tcp", os.Getenv("SERVICE_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	go http.Serve(listener, mux)
	go reports(time.Minute)
}

// reports prints now and then that the service lives.
func reports(every time.Duration) {
	for range time.Tick(every) {
		fmt.Fprintln(os.Stderr, "alive", runtime.NumGoroutine())
	}
}

// API serves a handler on a free port and returns its URL.
func API(h http.Handler) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: h, IdleTimeout: 20 * time.Second}
	go server.Serve(listener)
	return "http://" + listener.Addr().String()
}

var client = &http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{
	MaxIdleConnsPerHost: 2, IdleConnTimeout: 5 * time.Second,
}}

// Get asks a URL and drops the answer. Who asks does not wait for longer than four seconds.
func Get(url string) {
	answer, err := client.Get(url)
	if err != nil {
		return
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

// Ask sends n requests, one each gap, without waiting for an answer before the next.
func Ask(n int, gap time.Duration, url string) {
	for range n {
		go Get(url)
		time.Sleep(gap)
	}
}

// Wait returns when the process is told to end.
func Wait() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	<-stop
}
