// Command proxy forwards TCP connections: 60 are open, each with a goroutine for each direction and one that waits for both to
// end, in one of the customary ways. The clients are a second process; two thirds of them are silent for as long as it lives.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/proxy/internal/forward"
	"example.com/well/sibling"
)

const connections = 60

func main() {
	run := serve
	if len(os.Args) > 2 && os.Args[1] == "clients" {
		run = func() error { return connect(os.Args[2]) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "proxy:", err)
		os.Exit(1)
	}
}

func serve() error {
	backend, err := listen()
	if err != nil {
		return err
	}
	go echo(backend)
	front, err := listen()
	if err != nil {
		return err
	}
	p := &forward.Proxy{Backend: backend.Addr().String()}
	go p.Serve(front)
	clients, err := sibling.Start("clients", front.Addr().String())
	if err != nil {
		return err
	}
	defer clients.Close()
	dumper.Ready()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	return front.Close()
}

// connect opens the connections.
func connect(addr string) error {
	go churn(addr)
	for i := 0; i < connections; i++ {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return fmt.Errorf("connecting: %w", err)
		}
		go read(conn)
		if i%3 == 0 {
			go write(conn, time.Duration(50+i)*time.Millisecond)
		}
	}
	sibling.Work()
	return nil
}

func listen() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	return l, nil
}

// echo is the backend.
func echo(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			io.Copy(conn, conn)
		}()
	}
}

func read(conn net.Conn) { io.Copy(io.Discard, conn) }

func write(conn net.Conn, pause time.Duration) {
	for {
		if _, err := conn.Write(make([]byte, 1024)); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// churn opens and closes a connection after the other.
func churn(addr string) {
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		time.Sleep(30 * time.Millisecond)
		conn.Close()
	}
}
