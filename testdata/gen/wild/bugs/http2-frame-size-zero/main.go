// Command http2-frame-size-zero asks a status service for news over HTTP/2, once every few seconds.
//
// Report: https://github.com/golang/go/issues/78476
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/net/http2"

	"wild/kit"
)

// interval is the time between two requests.
const interval = 5 * time.Second

// dial returns a connection to the status service, which is at the other end of a pipe.
func dial() net.Conn {
	near, far := net.Pipe()
	go serveStatus(far)
	return near
}

// serveStatus is the service: it says how large frames may be and reads what comes. It never answers.
func serveStatus(conn net.Conn) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	go func() {
		framer := http2.NewFramer(conn, nil)
		if err := framer.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 0}); err != nil {
			log.Print("service: ", err)
		}
	}()
	io.Copy(io.Discard, conn)
}

// fetch asks for the status over its own connection.
func fetch(transport *http2.Transport, path string) error {
	conn := dial()
	defer conn.Close()
	client, err := transport.NewClientConn(conn)
	if err != nil {
		return fmt.Errorf("connection: %w", err)
	}
	// The service's settings come first.
	time.Sleep(200 * time.Millisecond)
	request, err := http.NewRequest(http.MethodGet, "http://status.local"+path, nil)
	if err != nil {
		return err
	}
	answer, err := client.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// poll fetches the status again and again.
func poll(path string) {
	transport := &http2.Transport{AllowHTTP: true}
	for {
		if err := fetch(transport, path); err != nil {
			log.Print(err)
		}
		time.Sleep(interval)
	}
}

func main() {
	kit.Serve()
	go poll("/v1/status")
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
