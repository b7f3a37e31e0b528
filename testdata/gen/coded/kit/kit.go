// Package kit is what every program here has besides its waits: the pprof port that servers have, and an end by signal.
package kit

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof" // the port that a server would have
	"os"
	"os/signal"
	"runtime"
)

// Serve opens the port of CODED_ADDR and returns. It collects garbage once: from then on the runtime forces a
// collection every two minutes, and dumps show how long goroutines have waited.
func Serve() {
	runtime.GC()
	listener, err := net.Listen("tcp", os.Getenv("CODED_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	go http.Serve(listener, nil)
}

// Wait waits for the signal to end.
func Wait() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	<-interrupted
}
