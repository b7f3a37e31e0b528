// Package kit is what every program has besides: the pprof port, requests that are held open, the end by a signal.
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
	"strings"
	"syscall"
)

// Start opens the pprof port of AGED_ADDR, and collects garbage once: from then on dumps show how long goroutines have
// waited.
func Start() {
	runtime.GC()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	l, err := net.Listen("tcp", os.Getenv("AGED_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	go http.Serve(l, mux)
}

// API serves a handler on a free port and returns its address.
func API(h http.Handler) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, h)
	return l.Addr().String()
}

// Hold asks for a path at an address and reads what comes, for as long as it comes.
func Hold(address, path string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, strings.Split(address, ":")[0])
	io.Copy(io.Discard, conn)
}

// Wait returns when the program is to end.
func Wait() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	<-c
}
