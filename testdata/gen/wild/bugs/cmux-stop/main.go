// Command cmux-stop serves HTTP and a protocol of its own on one port, and moves to another port after a while.
//
// https://github.com/soheilhy/cmux/issues/76
package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/soheilhy/cmux"

	"wild/kit"
)

func main() {
	kit.Serve()
	for {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		stopped := make(chan bool)
		go func() {
			serve(listener)
			close(stopped)
		}()
		go client(listener.Addr().String())
		time.Sleep(5 * time.Second)
		stop(listener, stopped)
		log.Print("moves")
	}
}

// serve serves both protocols until the listener is closed.
func serve(listener net.Listener) {
	mux := cmux.New(listener)
	setUp(mux)
	go http.Serve(mux.Match(cmux.HTTP1Fast()), http.NotFoundHandler())
	go echo(mux.Match(cmux.Any()))
	mux.Serve()
}

// stop waits until nothing is served any more.
func stop(listener net.Listener, stopped <-chan bool) {
	listener.Close()
	<-stopped
}

// echo is the other protocol.
func echo(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go io.Copy(conn, conn)
	}
}

// client is one that is connected and has nothing to ask yet.
func client(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	io.Copy(io.Discard, conn)
}
