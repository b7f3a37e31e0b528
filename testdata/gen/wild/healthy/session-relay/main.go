// Command session-relay relays text between clients over TCP. Each session has a reader and a mailbox; clients come and
// go, and stay for minutes.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"math/rand"
	"net"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type relay struct {
	mu       sync.Mutex
	sessions map[net.Conn]chan string
}

// accept begins a session: a mailbox that is written out, and a reader.
func (r *relay) accept(conn net.Conn) {
	mailbox := make(chan string, 8)
	r.mu.Lock()
	r.sessions[conn] = mailbox
	r.mu.Unlock()
	go func() {
		for text := range mailbox {
			fmt.Fprintln(conn, text)
		}
	}()
	go r.read(conn, mailbox)
}

func (r *relay) read(conn net.Conn, mailbox chan string) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		r.mu.Lock()
		for _, to := range r.sessions {
			select {
			case to <- lines.Text():
			default:
			}
			break
		}
		r.mu.Unlock()
	}
	r.mu.Lock()
	delete(r.sessions, conn)
	close(mailbox)
	r.mu.Unlock()
}

// client is one user, who writes every now and then and leaves after some minutes.
func client(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		log.Print(err)
		return
	}
	go func() {
		for lines := bufio.NewScanner(conn); lines.Scan(); {
		}
	}()
	for i := 0; i < 8+rand.Intn(5); i++ {
		time.Sleep(15 * time.Second)
		fmt.Fprintln(conn, "hello", i)
	}
	conn.Close()
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	r := &relay{sessions: map[net.Conn]chan string{}}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go r.accept(conn)
		}
	}()
	for ctx.Err() == nil {
		go client(l.Addr().String())
		time.Sleep(3 * time.Second)
	}
}
