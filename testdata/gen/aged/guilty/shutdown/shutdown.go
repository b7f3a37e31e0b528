// Package shutdown: main shuts its server down while a report waits for a result that nobody makes.
package shutdown

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"aged/kit"
)

func report(w http.ResponseWriter, r *http.Request) {
	results := make(chan int)
	fmt.Fprint(w, <-results)
}

// Main serves one report and shuts down.
func Main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(report)}
	go server.Serve(l)
	go kit.Hold(l.Addr().String(), "/")
	time.Sleep(time.Second)
	server.Shutdown(context.Background())
}
